import type { Digest, HeatCell, HeatRow, Overview, OverviewRound } from "./types";

/** The published series as the overview that the page would get for it: for tests and for looking at the page. */
const CASES = 483;
const accuracy = [398, 445, 447, 442, 439];
const effectiveness = [421, 406.5, 448, 442, 434.5];
const accuracyRange = [
	[0.788, 0.855],
	[0.894, 0.942],
	[0.899, 0.946],
	[0.887, 0.937],
	[0.88, 0.931],
] as const;
const effectivenessRange = [
	[0.844, 0.898],
	[0.812, 0.87],
	[0.907, 0.947],
	[0.892, 0.936],
	[0.875, 0.923],
] as const;
const names = ["base", "Evo.1", "Evo.2", "Evo.3", "Evo.4"];
const days = [4, 11, 21, 24, 26];
const day = (index: number) => new Date(Date.UTC(2026, 10, days[index] ?? 1, 10, 4));
const person = (name: string) => ({ id: name, name });

function digest(
	against: string,
	accuracyDelta: number,
	accuracyP: number,
	accuracyVerdict: Digest["accuracy"]["verdict"],
	effectivenessDelta: number,
	effectivenessP: number,
	effectivenessVerdict: Digest["accuracy"]["verdict"],
	fixed: number,
	broken: number,
): Digest {
	const dimension = (delta: number, p: number, verdict: Digest["accuracy"]["verdict"]) => ({ delta, low: delta - 0.027, high: delta + 0.027, p, verdict });
	return {
		against,
		baseRunId: `run-${against}`,
		runId: "run-x",
		accuracy: dimension(accuracyDelta, accuracyP, accuracyVerdict),
		effectiveness: dimension(effectivenessDelta, effectivenessP, effectivenessVerdict),
		avgDelta: (accuracyDelta + effectivenessDelta) / 2,
		fixed,
		broken,
	};
}

const anchors: (Digest | null)[] = [
	null,
	digest("base", 0.0973, 1e-9, "improved", -0.03, 6e-5, "regressed", 47, 15),
	digest("base", 0.1014, 1e-9, "improved", 0.0559, 1e-6, "improved", 49, 0),
	digest("Evo.2", -0.0104, 0.0625, "unchanged", -0.0124, 0.031, "regressed", 0, 6),
	digest("Evo.2", -0.0166, 0.0078, "regressed", -0.028, 0.001, "regressed", 0, 8),
];
const effects = ["anchor", "trade-off", "anchor", "strike", "strike"] as const;
const landed = [[], [28, 29], [31, 33, 34], [36, 37], [39]];

function round(index: number): OverviewRound {
	const value = (points: number | undefined, range: readonly [number, number] | undefined) => ({
		value: (points ?? 0) / CASES,
		low: range?.[0] ?? 0,
		high: range?.[1] ?? 0,
	});
	const scores = {
		runId: `run-${names[index]}`,
		runNumber: 200 + index,
		status: "done" as const,
		done: CASES,
		planned: CASES,
		cases: CASES,
		coverage: 0.994,
		standing: "decisive" as const,
		accuracy: value(accuracy[index], accuracyRange[index]),
		effectiveness: value(effectiveness[index], effectivenessRange[index]),
		noise: null,
		avg: value(((accuracy[index] ?? 0) + (effectiveness[index] ?? 0)) / 2, accuracyRange[index]),
	};
	const anchor = anchors[index] ?? null;
	return {
		id: `round-${index}`,
		index,
		name: names[index] ?? "",
		status: "closed",
		stalled: false,
		commit: ["4be02c9", "9d17f60", "7c1e0a4", "3b90d17", "e05a8f2"][index] ?? null,
		openedAt: day(index),
		closedAt: day(index),
		closedBy: person("Daniel Okafor"),
		robustness: [],
		unattended: false,
		dev: scores,
		test: scores,
		standing: {
			againstBaseline: null,
			againstAnchor: null,
			eligible: index !== 1,
			effect: effects[index] ?? "none",
			anchorAfter: index < 2 ? "base" : "Evo.2",
			strikes: Math.max(0, index - 2),
			stale: 0,
			stopped: index === 4,
			reasons: [],
		},
		eligible: index !== 1,
		recommended: index === 2,
		anchor: index === 2,
		released: index === 2 ? [{ tag: "v12", at: day(2), current: true }] : [],
		stopped: index === 4,
		againstBaseline: index === 0 ? null : anchor,
		againstAnchor: anchor,
		landed: (landed[index] ?? []).map((number) => ({
			id: `proposal-${number}`,
			number,
			title: number === 36 ? "敏感肌提问：只说检测结论" : `Change ${number}`,
			phrases: {},
			engine: "person",
			approvedBy: person("周敏"),
			unattended: false,
			landedAt: day(index),
			commit: null,
		})),
	};
}

function cells(base: number, deltas: (number | null)[], marks: Record<number, "s" | "alarm"> = {}): HeatCell[] {
	return [0, ...deltas].map((delta, index) => ({
		value: delta === null ? null : base + (index === 0 ? 0 : delta),
		delta: index === 0 || delta === null ? null : delta,
		verdict: null,
		significant: marks[index] === "s",
		fixed: (delta ?? 0) > 0 ? 4 : 0,
		broken: (delta ?? 0) < 0 ? 3 : 0,
		alarm: marks[index] === "alarm",
		acknowledged: false,
	}));
}

const rows: HeatRow[] = [
	{
		category: null,
		cases: CASES,
		accuracy: cells(0.824, [0.097, 0.101, 0.091, 0.085], { 1: "s", 2: "s", 4: "s" }),
		effectiveness: cells(0.872, [-0.03, 0.056, 0.043, 0.028], { 1: "s", 2: "s", 3: "s", 4: "s" }),
	},
	{
		category: "product-claims",
		cases: 74,
		accuracy: cells(0.811, [0.095, 0.108, -0.014, -0.027], { 2: "s" }),
		effectiveness: cells(0.878, [-0.041, 0.054, -0.014, -0.027]),
	},
	{
		category: "ingredients",
		cases: 58,
		accuracy: cells(0.741, [0.19, 0.19, 0, 0], { 1: "s", 2: "s" }),
		effectiveness: cells(0.819, [-0.034, 0.103, 0, -0.017]),
	},
	{
		category: "price",
		cases: 82,
		accuracy: cells(0.805, [0.134, 0.134, 0, -0.024], { 1: "s", 2: "s" }),
		effectiveness: cells(0.878, [-0.049, 0.073, -0.012, -0.03]),
	},
	{
		category: "small-talk",
		cases: 25,
		accuracy: cells(0.88, [0, 0, -0.08, -0.16], { 4: "alarm" }),
		effectiveness: cells(0.92, [-0.12, 0, -0.12, -0.2], { 4: "alarm" }),
	},
	{
		category: "variants",
		cases: CASES,
		accuracy: cells(0.791, [null, 0.128, -0.006, -0.018], { 2: "s" }),
		effectiveness: cells(0.826, [null, 0.095, -0.009, -0.026], { 2: "s" }),
	},
];

export const publishedOverview: Overview = {
	evolutions: [{ id: "e1", number: 1, slug: "care", title: "Care and claims, Nov 2026", status: "stopped", createdAt: day(0) }],
	evolution: {
		id: "e1",
		number: 1,
		slug: "care",
		title: "Care and claims, Nov 2026",
		status: "stopped",
		createdAt: day(0),
		branch: "evolution/care",
		baseCommit: "4be02c9",
		headCommit: "e05a8f2",
		policy: { id: "p", name: "qwen3.6-35b · hat-3", kind: "endpoint" },
		judge: { id: "j", name: "judge-6", engine: "llm" },
		suite: { key: "t1", version: 5 },
		trials: 1,
		seed: 1,
		createdBy: person("林晓"),
	},
	gap: null,
	headline: {
		kind: "recommended",
		round: "Evo.2",
		accuracy: { delta: 0.1014, low: 0.0744, high: 0.1284 },
		effectiveness: { delta: 0.0559, low: 0.034, high: 0.077 },
		released: "v12",
		gate: "pass",
	},
	rounds: names.map((_, index) => round(index)),
	heatmap: { rounds: names, rows },
	earlyStop: {
		patience: 2,
		strikes: 2,
		stale: 0,
		stopped: true,
		stoppedAt: day(4),
		stoppedAfter: "Evo.4",
		anchor: "Evo.2",
		steps: [3, 4].map((index) => ({
			round: names[index] ?? "",
			effect: "strike" as const,
			accuracy: anchors[index]?.accuracy ?? { delta: 0, p: 1, verdict: "unchanged" as const },
			effectiveness: anchors[index]?.effectiveness ?? { delta: 0, p: 1, verdict: "unchanged" as const },
			against: "Evo.2",
		})),
		sparse: { alone: 21, failures: 36 },
		reopened: [],
	},
	gate: {
		candidate: "Evo.2",
		against: "base",
		result: {
			verdict: "pass",
			policyVersion: 1,
			checks: [
				{ id: "suites-decisive", ok: true, label: "", detail: "t1: coverage 99.4 %" },
				{ id: "no-regression", ok: true, label: "", detail: "accuracy, effectiveness" },
				{ id: "non-inferior", ok: true, label: "", detail: "accuracy, effectiveness" },
				{ id: "improved", ok: true, label: "", detail: "t1 accuracy, t1 effectiveness" },
				{ id: "alarms-acknowledged", ok: true, label: "", detail: "none raised" },
				{ id: "holdout", ok: true, label: "", detail: "accuracy 4 fixed, 1 broken; effectiveness 2 fixed, 1 broken; reading 1 of 3" },
			],
		},
		release: null,
	},
	waiting: [
		{ kind: "acknowledge-alarm", role: "reviewer", person: null, mine: true, count: 1, landed: 0, subjectId: "4", subject: "Evo.4", since: day(4) },
		{ kind: "reopen-or-close", role: "reviewer", person: null, mine: false, count: 1, landed: 0, subjectId: null, subject: null, since: day(4) },
		{ kind: "confirm-findings", role: "operator", person: person("林晓"), mine: false, count: 3, landed: 0, subjectId: null, subject: "Evo.4", since: day(4) },
	],
	counts: { findingsOpen: 3, findingsAccepted: 0, findingsRejected: 0, inReview: 0, drafts: 0 },
	tasks: [],
};
