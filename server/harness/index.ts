export { applyChanges, assertFiles, changesBetween, componentOf, componentPath, HARNESS_LIMITS, mainFileOf, pathProblem } from "./file-paths";
export { formatJsonSchemas } from "./file-schemas";
export { blobIdOf, treeIdOf } from "./git-objects";
export { type SchemaCheck, schemaChecker, schemaProblems } from "./json-schema";
export { estimateTokens, renderHarness } from "./render-harness";
export { LOAD_SKILL_TOOL, openAiToolNames } from "./tool-rules";
export { ALONE, type Validation, validateHarness } from "./validate-harness";
