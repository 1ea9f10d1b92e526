export { encodeText, weighFeatures } from "./encode-text";
export { type ParsedSkill, parseSkillBody, type SkillRule } from "./parse-skill";
export { createCompactPolicy } from "./policy";
export { coverage } from "./score-candidates";
export { type Route, simulateRouting } from "./simulate-routing";
