export { createSandbox, DEFAULT_LIMITS } from "./create-sandbox";
