export { createSandbox } from "./create-sandbox";
export { parseModule } from "./module-source.mjs";
