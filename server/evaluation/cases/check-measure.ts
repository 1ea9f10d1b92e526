import { findRubricProblems, MIN_CHRF, type RubricProblem } from "@/server/judge";
import type { CaseContent } from "../contract";
import { type Reason, reasonOf } from "./import-texts";

/** What refuses a case (no reply can meet its rubric as it stands), and what is only doubtful. */
export function checkRubric(rubric: CaseContent["rubric"], world: Record<string, unknown>): { errors: RubricProblem[]; warnings: RubricProblem[] } {
	const problems = findRubricProblems(rubric, world);
	return { errors: problems.filter((p) => p.severity === "error"), warnings: problems.filter((p) => p.severity === "warning") };
}

/** A case without a rubric, where rubrics measure: its reference does instead; without one, that is said. */
export function withMeasure<T extends Pick<CaseContent, "rubric" | "reference">>(file: T): { file: T; doubt: Reason | null } {
	if (file.rubric.length > 0) return { file, doubt: null };
	if (file.reference === undefined) return { file, doubt: reasonOf("nothing-asked") };
	const rubric: CaseContent["rubric"] = [{ kind: "reference", metric: "chrf", min: MIN_CHRF, dimension: "effectiveness" }];
	return { file: { ...file, rubric }, doubt: reasonOf("reference-measures", { min: MIN_CHRF }) };
}

/** The problems of one rubric in one sentence; people count points from 1. */
export function rubricReason(id: "rubric-unmet" | "rubric-doubtful", problems: readonly RubricProblem[]): Reason {
	const points = problems.map(({ code, item }) => reasonOf(`rubric-${code}`, { item: item + 1 }));
	const { reason, phrase } = reasonOf(id, { problems: points.map((point) => point.reason).join(", ") });
	return { reason, phrase: { ...phrase, params: { problems: points.map((point) => point.phrase) } } };
}
