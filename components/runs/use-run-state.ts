import { parseAsArrayOf, parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { ResultFilter } from "@/server/evaluation/contract";
import { RESULT_SORTS, RESULT_VERDICTS } from "@/server/evaluation/values.contract";

export const FACETS = ["verdict", "category", "skill", "tool", "fault", "failureType"] as const;
export type FacetKey = (typeof FACETS)[number];

export const VIEWS = ["results", "categories", "compare"] as const;

const words = () => parseAsArrayOf(parseAsString).withDefault([]);

const parsers = {
	view: parseAsStringLiteral(VIEWS),
	q: parseAsString.withDefault(""),
	verdict: parseAsArrayOf(parseAsStringLiteral(RESULT_VERDICTS)).withDefault([]),
	category: words(),
	skill: words(),
	tool: words(),
	fault: words(),
	failureType: words(),
	sort: parseAsStringLiteral(RESULT_SORTS).withDefault("case"),
	desc: parseAsBoolean.withDefault(false),
	episode: parseAsString,
	against: parseAsString,
};

/** What a run's page shows: filters, sort, the open episode and the run compared with. All of it is in the URL. */
export function useRunState() {
	const [state, setState] = useQueryStates(parsers, { history: "replace", throttleMs: 120 });
	const filter: ResultFilter = {
		verdict: state.verdict,
		category: state.category,
		skill: state.skill,
		tool: state.tool,
		fault: state.fault,
		failureType: state.failureType,
		caseIds: [],
		text: state.q,
	};
	const filtered = state.q !== "" || FACETS.some((key) => state[key].length > 0);
	const view = state.view ?? (state.against ? "compare" : "results");
	return { state, setState, filter, filtered, view };
}

export type RunState = ReturnType<typeof useRunState>;
