export { coverage } from "./score-candidates";
export { encodeText, type FeatureWeights, weighFeatures } from "./encode-text";
export { fieldNames, type ParsedSkill, parseSkillBody, quotedTexts, type SkillRule } from "./parse-skill";
export { type CompactPolicyConfig, createCompactPolicy } from "./policy";
export { type Route, simulateRouting } from "./simulate-routing";
