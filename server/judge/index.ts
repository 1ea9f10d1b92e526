export { findRubricProblems, type RubricProblem } from "./check-item";
export { chrf } from "./chrf";
export { createJudgeService, type JudgeService } from "./judge-versions";
export { createRubricJudge } from "./rubric-judge";
