export { augment, type Variant } from "./augment";
export { checkEnvelope, DEFAULT_ENVELOPE, narrowEnvelope } from "./envelope";
