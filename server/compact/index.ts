export { encodeText, type FeatureWeights, weighFeatures } from "./encode-text";
export { fieldNames, type ParsedSkill, parseSkillBody, quotedTexts, type SkillRule } from "./parse-skill";
export { type CompactPolicyConfig, createCompactPolicy } from "./policy";
export { coverage } from "./score-candidates";
export { type Route, simulateRouting } from "./simulate-routing";
