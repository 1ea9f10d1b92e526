import { expect, it } from "vitest";
import { leftByEdit } from "./left-by-edit";
import type { EngineTask, Finding } from "./types";

const at = (minute: number) => new Date(2026, 0, 1, 0, minute);
const finding = (rest: Partial<Finding> = {}) => ({ id: "a", status: "accepted", decidedAt: at(1), proposals: [], ...rest }) as unknown as Finding;
const edit = (rest: Partial<EngineTask> = {}) =>
	({ kind: "edit", status: "done", findingIds: ["a", "b"], proposalId: "p1", createdAt: at(2), finishedAt: at(3), ...rest }) as EngineTask;
const proposal = (id: string, status: string) => [{ id, number: 1, status }] as Finding["proposals"];

it.each<[what: string, left: boolean, finding: Finding, tasks: EngineTask[]]>([
	["the proposal is for another finding", true, finding(), [edit()]],
	["nothing was proposed at all", true, finding(), [edit({ proposalId: null })]],
	["the proposal is for it", false, finding({ proposals: proposal("p1", "draft") }), [edit()]],
	["the proposal was for it and is rejected", false, finding({ proposals: proposal("p1", "rejected") }), [edit()]],
	["another proposal was for it once", true, finding({ proposals: proposal("p0", "rejected") }), [edit()]],
	["a person proposed for it since", false, finding({ proposals: proposal("p2", "draft") }), [edit()]],
	["it was modified since", false, finding({ status: "modified", decidedAt: at(4) }), [edit()]],
	["its confirmation was taken back", false, finding({ status: "proposed", decidedAt: null }), [edit()]],
	["no edit was asked for", false, finding(), [edit({ findingIds: ["b"] })]],
	["a later edit of others leaves it as it was", true, finding(), [edit({ findingIds: ["b"], createdAt: at(5), finishedAt: at(6) }), edit()]],
	["a later edit of it is under way", false, finding(), [edit(), edit({ status: "running", createdAt: at(5), finishedAt: null })]],
	["its edit failed, which is said of the edit", false, finding(), [edit({ status: "failed", proposalId: null })]],
	["only a diagnosis was made", false, finding(), [edit({ kind: "diagnose" })]],
])("where %s, it is left: %s", (_what, left, one, tasks) => {
	expect(leftByEdit([one], tasks)).toEqual(left ? [one] : []);
});
