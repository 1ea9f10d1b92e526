export { createSandbox } from "./create-sandbox";
