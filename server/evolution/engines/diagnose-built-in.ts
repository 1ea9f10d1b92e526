import { phrasesOf } from "@/server/kernel/phrase";
import type { CategoryTitles, DiagnosisCase, DiagnosisEngine, FindingDraft } from "../contract";
import { engineWriter } from "../written-texts";
import { wordingSimilarity } from "./wording-similarity";

/** A failure alone says nothing that an edit could generalise. */
const MIN_CASES = 2;

interface Cluster {
	category: string;
	failureType: DiagnosisCase["failureType"];
	component: string | null;
	cases: DiagnosisCase[];
}

function clusterFailures(failed: readonly DiagnosisCase[]): Cluster[] {
	const byKey = new Map<string, Cluster>();
	for (const c of failed) {
		const key = JSON.stringify([c.category, c.failureType, c.blamed]);
		const cluster = byKey.get(key) ?? { category: c.category, failureType: c.failureType, component: c.blamed, cases: [] };
		cluster.cases.push(c);
		byKey.set(key, cluster);
	}
	const clusters = [...byKey.values()];
	const large = clusters.filter((cluster) => cluster.cases.length >= MIN_CASES);
	// A failure alone joins the finding of its category whose replies should have been most like its own; the rest stay sparse.
	for (const { cases } of clusters.filter((cluster) => cluster.cases.length < MIN_CASES)) {
		for (const c of cases) nearest(c, large)?.cases.push(c);
	}
	return large.concat(
		sparseTogether(
			clusters.filter((cluster) => cluster.cases.length < MIN_CASES).flatMap((cluster) => cluster.cases),
			large,
		),
	);
}

function nearest(c: DiagnosisCase, clusters: readonly Cluster[]): Cluster | null {
	if (c.reference === null) return null;
	const scored = clusters
		.filter((cluster) => cluster.category === c.category)
		.map((cluster) => ({
			cluster,
			score: Math.max(0, ...cluster.cases.map((other) => (other.reference === null ? 0 : wordingSimilarity(other.reference, c.reference ?? "")))),
		}))
		.sort((a, b) => b.score - a.score)[0];
	return scored && scored.score >= 0.42 ? scored.cluster : null;
}

/** Failures alone in their key, two or more in a category, are one finding of the category: mixed, and so of low confidence. */
function sparseTogether(alone: readonly DiagnosisCase[], large: readonly Cluster[]): Cluster[] {
	const placed = new Set(large.flatMap((cluster) => cluster.cases));
	const rest = alone.filter((c) => !placed.has(c));
	return [...new Set(rest.map((c) => c.category))].flatMap((category): Cluster[] => {
		const cases = rest.filter((c) => c.category === category);
		const first = cases[0];
		return first && cases.length >= MIN_CASES ? [{ category, failureType: first.failureType, component: null, cases }] : [];
	});
}

function missingFacts(cases: readonly DiagnosisCase[]): string[] {
	const counts = new Map<string, number>();
	for (const c of cases) {
		const keys = new Set(c.evidence.filter((item) => !item.ok && item.fact).map((item) => (item.fact ?? "").split(" = ")[0]?.split(".").at(-1) ?? ""));
		for (const key of keys) if (key !== "") counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return [...counts]
		.filter(([, n]) => n >= MIN_CASES)
		.sort((a, b) => b[1] - a[1])
		.map(([key]) => key)
		.slice(0, 3);
}

/** Size and purity: how many cases, and how much of the cluster is of one kind. */
function confidenceOf(cluster: Cluster): number {
	const pure = cluster.cases.filter((c) => c.failureType === cluster.failureType && c.blamed === cluster.component).length / cluster.cases.length;
	const size = 1 - 1 / (1 + cluster.cases.length / 2);
	return Math.round(Math.min(0.95, size * (0.5 + pure / 2)) * 100) / 100;
}

function describeCluster(
	cluster: Cluster,
	write: ReturnType<typeof engineWriter>,
	titles: CategoryTitles,
): Pick<FindingDraft, "title" | "hypothesis" | "phrases"> {
	const facts = missingFacts(cluster.cases);
	const tools = [...new Set(cluster.cases.flatMap((c) => c.toolCalls.filter((call) => !call.ok).map((call) => call.name)))];
	const title = write("finding", {
		category: titles[cluster.category] ?? cluster.category,
		fault: write(`fault-${cluster.failureType}`),
		cases: cluster.cases.length,
	});
	const hypothesis = write("finding-hypothesis", {
		where: cluster.component ? write("points-to", { component: cluster.component }) : write("points-nowhere"),
		facts: facts.length > 0 ? write("facts-missing", { facts }) : "",
		tools: tools.length > 0 ? write("tools-failed", { tools }) : "",
	});
	return { title: title.text, hypothesis: hypothesis.text, phrases: phrasesOf([title, hypothesis]) };
}

/** The diagnosis engine without a model: failures by category, failure type and blamed component. Same input, same findings. */
export function createBuiltInDiagnosis(): DiagnosisEngine {
	return {
		diagnose({ failed, language, titles = {} }, signal) {
			signal.throwIfAborted();
			const write = engineWriter(language);
			const value = clusterFailures(failed)
				.map(
					(cluster): FindingDraft => ({
						category: cluster.category,
						failureType: cluster.failureType,
						component: cluster.component,
						...describeCluster(cluster, write, titles),
						confidence: confidenceOf(cluster),
						caseIds: cluster.cases.map((c) => c.caseId),
						episodeIds: cluster.cases.map((c) => c.episodeId),
					}),
				)
				.sort((a, b) => b.caseIds.length - a.caseIds.length || b.confidence - a.confidence || (a.title < b.title ? -1 : 1));
			return Promise.resolve({ engine: "built-in", notice: null, value });
		},
	};
}
