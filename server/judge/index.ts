export { findRubricProblems } from "./check-item";
export { chrf, chrfWithWildcards } from "./chrf";
export { createRubricJudge, judgeByRubric } from "./rubric-judge";
