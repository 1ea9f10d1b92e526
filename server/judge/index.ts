export { askForJson, type JsonAnswer } from "./ask-json";
export { findRubricProblems } from "./check-item";
export { chrf, chrfWithWildcards } from "./chrf";
export { createJudgeService, type JudgePorts, type JudgeService } from "./judge-versions";
export { createLlmJudge } from "./llm-judge";
export { createRubricJudge, judgeByRubric } from "./rubric-judge";
