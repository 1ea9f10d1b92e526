export { augment, type Variant } from "./augment";
export { checkEnvelope, DEFAULT_ENVELOPE, envelopeProblems, narrowEnvelope } from "./envelope";
export { distance, fitEnvelope } from "./envelope-distance";
export { createEnvelopeService, type EnvelopeService } from "./envelope-service";
export { foldTrajectory, keepsLimits } from "./fold-trajectory";
export { previewVariant } from "./preview-variant";
export type { Rewritings } from "./rewritable-texts";
export { createRewriter, type Rewriter } from "./rewrite-by-model";
