export { findRubricProblems, type RubricProblem } from "./check-item";
export { chrf } from "./chrf";
export { createJudgeService, type JudgeService } from "./judge-versions";
export { MIN_CHRF } from "./match-intent";
export { createRubricJudge } from "./rubric-judge";
