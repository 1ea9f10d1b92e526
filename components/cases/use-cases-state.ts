import { parseAsArrayOf, parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";

export const CASE_SORTS = ["key", "category", "split", "group"] as const;

const parsers = {
	suite: parseAsString,
	version: parseAsString,
	q: parseAsString.withDefault(""),
	split: parseAsStringLiteral(["dev", "test"]),
	category: parseAsString,
	tag: parseAsArrayOf(parseAsString).withDefault([]),
	group: parseAsString,
	sort: parseAsStringLiteral(CASE_SORTS).withDefault("key"),
	desc: parseAsBoolean.withDefault(false),
	page: parseAsInteger.withDefault(1),
	case: parseAsString,
};

/** What the Cases page shows; all of it in the URL. A change of a filter goes back to the first page. */
export function useCasesState() {
	const [state, setState] = useQueryStates(parsers, { history: "replace", throttleMs: 120 });
	const set = (change: Partial<typeof state>) => void setState({ page: null, ...change });
	return { state, set };
}
