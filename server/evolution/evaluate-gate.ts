import type { Comparison } from "@/server/evaluation/contract";
import type { GateCheck, GatePolicy, GateResult, HoldoutCounts } from "./contract";
import { HOLDOUT_UNREAD } from "./holdout-unread.contract";

/** What is known of one suite for the candidate and what it is compared with. */
export interface GateSuite {
	key: string;
	/** none: no run; running; done */
	state: "none" | "running" | "done";
	coverage: number | null;
	/** Share of cases whose verdict flips between the candidate's trials; null with one trial. */
	noise: number | null;
	/** Null until both runs are done, or when the candidate is the first of its kind. */
	comparison: Comparison | null;
	/** Categories whose alarm a reviewer acknowledged in writing. */
	acknowledged: readonly string[];
}

export interface GateInput {
	policy: GatePolicy;
	policyVersion: number;
	suites: readonly GateSuite[];
	/** Null: not read (yet). */
	holdout: HoldoutCounts | null;
	/** How many readings this evolution has had, with this one if it was read. */
	holdoutReadings: number;
}

type Check = GateCheck;
const RUN_WHEN_RELEASED = "run when the release is made";
const percent = (value: number) => `${(value * 100).toFixed(1)} %`;

function critical(input: GateInput): { key: string; suite: GateSuite | undefined }[] {
	return Object.entries(input.policy.suites)
		.filter(([, standing]) => standing === "critical")
		.map(([key]) => ({ key, suite: input.suites.find((s) => s.key === key) }));
}

/** Every critical suite has a decisive run; a missing suite blocks, a run that is under way or still to be started is not known yet. */
function checkSuites(input: GateInput): Check {
	const rows = critical(input).map(({ key, suite }) => {
		if (!suite) return { ok: false, text: `${key}: no run` };
		// Making the release starts it; until then nothing is known against it.
		if (suite.state === "none") return { ok: null, text: `${key}: ${RUN_WHEN_RELEASED}` };
		if (suite.state === "running") return { ok: null, text: `${key}: running` };
		if (suite.coverage === null || suite.coverage < input.policy.minCoverage)
			return { ok: null, text: `${key}: indecisive, coverage ${percent(suite.coverage ?? 0)}` };
		if (!suite.comparison) return { ok: null, text: `${key}: nothing to compare with yet` };
		if (suite.comparison.invalid) return { ok: null, text: `${key}: ${suite.comparison.invalid}` };
		return { ok: true, text: `${key}: coverage ${percent(suite.coverage)}${suite.noise === null ? "" : `, flips on repeat ${percent(suite.noise)}`}` };
	});
	const ok = rows.length === 0 || rows.some((r) => r.ok === false) ? false : rows.some((r) => r.ok === null) ? null : true;
	return {
		id: "suites-decisive",
		ok,
		label: "Every critical suite has a decisive run",
		detail: rows.map((r) => r.text).join("; ") || "the gate policy names no critical suite",
	};
}

const usable = (input: GateInput) =>
	critical(input).flatMap(({ key, suite }) => (suite?.comparison && !suite.comparison.invalid ? [{ key, suite, comparison: suite.comparison }] : []));

function checkRegressions(input: GateInput): Check {
	const found: string[] = [];
	for (const { key, comparison } of usable(input))
		for (const dimension of input.policy.criticalDimensions) {
			if (comparison.dimensions[dimension].verdict === "regressed") found.push(`${key} ${dimension}`);
			for (const row of comparison.perCategory) if (row[dimension].verdict === "regressed") found.push(`${key} ${dimension} in ${row.category}`);
		}
	const known = usable(input).length > 0;
	return {
		id: "no-regression",
		ok: found.length > 0 ? false : known ? true : null,
		label: "No critical dimension regressed, overall or by category after Holm",
		detail: found.length > 0 ? found.join(", ") : known ? input.policy.criticalDimensions.join(", ") : "not evaluated",
	};
}

/** Not shown to be non-inferior is not the same as shown to be worse: it makes the gate inconclusive, a regression makes it fail. */
function checkNonInferior(input: GateInput): Check {
	const missing: string[] = [];
	for (const { key, comparison } of usable(input))
		for (const dimension of input.policy.criticalDimensions)
			if (!comparison.dimensions[dimension].nonInferior)
				missing.push(`${key} ${dimension} (interval from ${(comparison.dimensions[dimension].low * 100).toFixed(1)})`);
	const known = usable(input).length > 0;
	return {
		id: "non-inferior",
		ok: !known || missing.length > 0 ? null : true,
		label: `Every critical dimension is non-inferior, margin ${input.policy.marginPoints.toFixed(1)} points`,
		detail: missing.length > 0 ? missing.join(", ") : known ? input.policy.criticalDimensions.join(", ") : "not evaluated",
	};
}

function checkImproved(input: GateInput): Check {
	const label = "At least one dimension improved";
	const improved = usable(input).flatMap(({ key, comparison }) =>
		(["accuracy", "effectiveness"] as const).filter((d) => comparison.dimensions[d].verdict === "improved").map((d) => `${key} ${d}`),
	);
	const known = usable(input).length > 0;
	return {
		id: "improved",
		ok: improved.length > 0 ? true : null,
		label,
		detail: improved.join(", ") || (known ? "none improved significantly" : "not evaluated"),
	};
}

function checkAlarms(input: GateInput): Check {
	const open: string[] = [];
	let raised = 0;
	for (const { key, suite, comparison } of usable(input)) {
		const categories = new Set(comparison.alarms.map((a) => a.category));
		raised += categories.size;
		for (const category of categories) if (!suite.acknowledged.includes(category)) open.push(`${key} ${category}`);
	}
	const known = usable(input).length > 0;
	return {
		id: "alarms-acknowledged",
		ok: open.length > 0 ? false : known ? true : null,
		label: "No category alarm without a reviewer's written acknowledgement",
		detail: open.length > 0 ? open.join(", ") : raised > 0 ? `${raised} acknowledged` : known ? "none raised" : "not evaluated",
	};
}

/** The holdout vetoes when a dimension is significantly worse; it is asked last, and only for a release. */
function checkHoldout(input: GateInput): Check {
	const label = "The holdout does not veto";
	if (!input.policy.useHoldout || input.policy.maxHoldoutReadings === 0) return { id: "holdout", ok: true, label, detail: "not used by the gate policy" };
	if (!input.holdout) {
		const spent = input.holdoutReadings >= input.policy.maxHoldoutReadings;
		return { id: "holdout", ok: null, label, detail: spent ? `all ${input.policy.maxHoldoutReadings} readings are spent` : HOLDOUT_UNREAD };
	}
	const worse = (["accuracy", "effectiveness"] as const).filter((d) => {
		const counts = input.holdout?.[d];
		return counts !== undefined && counts.p < input.policy.alpha && counts.delta < 0;
	});
	const counts = (["accuracy", "effectiveness"] as const).map((d) => `${d} ${input.holdout?.[d].fixed} fixed, ${input.holdout?.[d].broken} broken`).join("; ");
	return { id: "holdout", ok: worse.length === 0, label, detail: `${counts}; reading ${input.holdoutReadings} of ${input.policy.maxHoldoutReadings}` };
}

/**
 * Decides a release, always with reasons. `fail`: something is shown to be wrong (a regression, an open alarm, the holdout's
 * veto, a missing critical suite). `inconclusive`: nothing is wrong and something is not shown. `pass`: all of it is shown.
 */
export function evaluateGate(input: GateInput): GateResult {
	const checks = [checkSuites(input), checkRegressions(input), checkNonInferior(input), checkImproved(input), checkAlarms(input), checkHoldout(input)];
	const verdict = checks.some((c) => c.ok === false) ? "fail" : checks.some((c) => c.ok === null) ? "inconclusive" : "pass";
	return { verdict, checks, policyVersion: input.policyVersion };
}

/** Whether all but the holdout passes: only then is a reading worth spending. */
export function isReadyForHoldout(result: GateResult): boolean {
	return result.checks.every((c) => c.id === "holdout" || c.ok === true);
}

/**
 * The gate of a rollback. The way back must always be open, so nothing here blocks: what the restored release showed when
 * it was made stands, and what going back costs against the current release is said, not judged.
 */
export function evaluateRollbackGate(input: {
	policyVersion: number;
	restored: { name: string; verdict: GateResult["verdict"] | null; overridden: boolean };
	comparison: Comparison | null;
}): GateResult {
	const { restored, comparison } = input;
	const said =
		restored.verdict === null ? "the state before the first release" : `its own gate: ${restored.verdict}${restored.overridden ? ", overridden" : ""}`;
	const points = (delta: number) => (delta * 100).toFixed(1).replace("-", "\u2212");
	const word = (d: "accuracy" | "effectiveness") => `${d} ${points(comparison?.dimensions[d].delta ?? 0)} ${comparison?.dimensions[d].verdict}`;
	return {
		verdict: "pass",
		policyVersion: input.policyVersion,
		checks: [
			{ id: "restored", ok: true, label: `Restores ${restored.name} exactly`, detail: said },
			{
				id: "no-regression",
				ok: true,
				waived: true,
				label: "Against the current release",
				detail: comparison ? `${word("accuracy")}; ${word("effectiveness")}` : "not compared",
			},
			{ id: "improved", ok: true, waived: true, label: "At least one dimension improved", detail: "waived for a rollback" },
		],
	};
}
