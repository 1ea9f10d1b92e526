export { findRubricProblems } from "./check-item";
export { chrf, chrfWithWildcards } from "./chrf";
export { createJudgeService, type JudgePorts, type JudgeService } from "./judge-versions";
export { createRubricJudge, judgeByRubric } from "./rubric-judge";
