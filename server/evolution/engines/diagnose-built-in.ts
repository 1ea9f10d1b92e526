import type { DiagnosisCase, DiagnosisEngine, FindingDraft } from "../contract";
import { wordingSimilarity } from "./wording-similarity";

/** A failure alone says nothing that an edit could generalise. */
const MIN_CASES = 2;

interface Cluster {
	category: string;
	failureType: DiagnosisCase["failureType"];
	component: string | null;
	cases: DiagnosisCase[];
}

const WORDS: Record<string, { en: string; zh: string }> = {
	"factual-error": { en: "states a fact wrongly", zh: "事实说错" },
	"unsupported-number": { en: "states a number that nothing supports", zh: "说了没有依据的数字" },
	"forbidden-claim": { en: "promises what it must not", zh: "作了不该有的承诺" },
	"limit-exceeded": { en: "is longer than the limit", zh: "超过长度限制" },
	"missing-point": { en: "leaves a required point out", zh: "漏掉要点" },
	"wrong-skill": { en: "is answered by another skill", zh: "走错了技能" },
	"no-skill": { en: "has no skill that is meant for it", zh: "没有对应的技能" },
	"missing-tool": { en: "is answered without the look-up it needs", zh: "没有查该查的工具" },
	"wrong-tool": { en: "calls a tool in vain", zh: "工具调用不当" },
	"tool-failure-unhandled": { en: "is lost when a look-up fails", zh: "工具失败后没有处理好" },
	"no-answer": { en: "gets no answer", zh: "没有回答" },
	blocked: { en: "is blocked by a hook", zh: "被钩子拦下" },
	deadline: { en: "misses the deadline", zh: "超时" },
	"off-reference": { en: "is answered unlike its references", zh: "答得和参考不同" },
	"addresses-judge": { en: "addresses the judge", zh: "对裁判说话" },
};

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

function describeCluster(cluster: Cluster, zh: boolean): { title: string; hypothesis: string } {
	const words = WORDS[cluster.failureType] ?? { en: cluster.failureType, zh: cluster.failureType };
	const facts = missingFacts(cluster.cases);
	const failedTools = [...new Set(cluster.cases.flatMap((c) => c.toolCalls.filter((call) => !call.ok).map((call) => call.name)))];
	const n = cluster.cases.length;
	if (zh) {
		const parts = [
			cluster.component ? `问题指向 ${cluster.component}` : "现有组件里没有一个对应它",
			facts.length > 0 ? `多次缺少 ${facts.join("、")}` : "",
			failedTools.length > 0 ? `${failedTools.join("、")} 调用失败` : "",
		];
		return { title: `${cluster.category}：${words.zh}（${n} 条）`, hypothesis: `${parts.filter((part) => part !== "").join("；")}。` };
	}
	const parts = [
		cluster.component ? `it points to ${cluster.component}` : "no component is meant for it",
		facts.length > 0 ? `${facts.join(", ")} missing repeatedly` : "",
		failedTools.length > 0 ? `${failedTools.join(", ")} failed` : "",
	];
	const text = parts.filter((part) => part !== "").join("; ");
	return { title: `${cluster.category}: ${words.en} (${n} cases)`, hypothesis: `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
}

/** The diagnosis engine without a model: failures by category, failure type and blamed component. Same input, same findings. */
export function createBuiltInDiagnosis(): DiagnosisEngine {
	return {
		diagnose({ failed, language }, signal) {
			signal.throwIfAborted();
			const value = clusterFailures(failed)
				.map(
					(cluster): FindingDraft => ({
						category: cluster.category,
						failureType: cluster.failureType,
						component: cluster.component,
						...describeCluster(cluster, language.startsWith("zh")),
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
