import { expect, it } from "vitest";
import { landedSinceDiagnosis } from "./overview-words";
import type { FindingRow, ProposalRow } from "./rows";

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
const finding = (hour: number, over: Partial<FindingRow> = {}) => ({ status: "proposed", engine: "built-in", createdAt: at(hour), ...over }) as FindingRow;
const landed = (hour: number | null) => ({ landedAt: hour === null ? null : at(hour) }) as ProposalRow;

it.each([
	["nothing waits", [], [landed(3)], 0],
	["nothing landed", [finding(1)], [landed(null)], 0],
	["it landed before", [finding(2)], [landed(1)], 0],
	["two landed since", [finding(2), finding(1)], [landed(1), landed(3), landed(4), landed(null)], 2],
	["what was confirmed waits for nobody's word", [finding(2, { status: "accepted" })], [landed(3)], 0],
	["a trigger's finding is of no diagnosis", [finding(9, { engine: "trigger: Nightly" }), finding(2)], [landed(3)], 1],
] as const)("changes landed since the diagnosis: %s", (_name, openFindings, proposals, expected) => {
	expect(landedSinceDiagnosis({ openFindings: [...openFindings], proposals: [...proposals] })).toBe(expected);
});
