export { computeAdvantages } from "./maths/advantages";
