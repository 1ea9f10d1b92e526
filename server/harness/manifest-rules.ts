import type { z } from "zod";
import type { PipelineItem, Problem } from "./contract";
import { ManifestFileSchema } from "./file-schemas";
import { changeTo, messageOf } from "./problem-texts";
import { Source } from "./source";
import { nearest } from "./tool-rules";
import { checkSchema, parseYaml, type YamlSource } from "./yaml-source";

export type Manifest = z.infer<typeof ManifestFileSchema>;

export interface ManifestReading {
	manifest: Manifest | null;
	pipeline: PipelineItem[];
	problems: Problem[];
	yaml: YamlSource;
	source: Source;
}

/** Reads harness.yaml. */
export function readManifest(text: string): ManifestReading {
	const source = new Source("harness.yaml", text);
	const yaml = parseYaml(source, text);
	const checked = checkSchema(ManifestFileSchema, yaml, source, "manifest-schema");
	const problems = [...yaml.problems, ...checked.problems];
	const manifest = checked.value;
	if (manifest) problems.push(...constraintProblems(manifest, yaml, source), ...limitProblems(manifest, yaml, source));
	const pipeline = (manifest?.pipeline ?? []).map((item): PipelineItem => {
		if (typeof item === "string") return { kind: "prompt", id: item };
		return "skills" in item ? { kind: "skill-index" } : { kind: "tool-notes" };
	});
	return { manifest, pipeline, problems, yaml, source };
}

function constraintProblems(manifest: Manifest, yaml: YamlSource, source: Source): Problem[] {
	return Object.entries(manifest.constraints).flatMap(([name, { value, min, max }]) => {
		if (min > max)
			return [source.problem({ rule: "constraint-range", ...messageOf("constraint-min-max", { name, min, max }) }, yaml.rangeOf(["constraints", name, "min"]))];
		if (value >= min && value <= max) return [];
		const near = value < min ? min : max;
		return [
			source.problem(
				{
					rule: "constraint-range",
					...messageOf("constraint-range", { name, value, min, max }),
					...changeTo(String(near)),
				},
				yaml.rangeOf(["constraints", name, "value"]),
			),
		];
	});
}

function limitProblems(manifest: Manifest, yaml: YamlSource, source: Source): Problem[] {
	const { deadlineMs, targetP50Ms } = manifest.limits;
	if (targetP50Ms <= deadlineMs) return [];
	return [
		source.problem(
			{ rule: "budget", severity: "warning", ...messageOf("budget-target", { target: targetP50Ms, deadline: deadlineMs }) },
			yaml.rangeOf(["limits", "targetP50Ms"]),
		),
	];
}

/** Pipeline against what there is: unknown ids, items twice, prompts and indexes that never reach the policy. */
export function pipelineProblems(reading: ManifestReading, promptIds: readonly string[], skills: number): Problem[] {
	const { pipeline, yaml, source } = reading;
	const problems: Problem[] = [];
	const seen = new Set<string>();
	for (const [index, item] of pipeline.entries()) {
		const id = item.kind === "prompt" ? item.id : item.kind;
		const at = yaml.rangeOf(["pipeline", index]);
		if (seen.has(id)) problems.push(source.problem({ rule: "pipeline-duplicate", ...messageOf("pipeline-duplicate", { id }) }, at));
		seen.add(id);
		if (item.kind !== "prompt" || promptIds.includes(item.id)) continue;
		const near = nearest(item.id, promptIds);
		problems.push(source.problem({ rule: "pipeline-unknown", ...messageOf("pipeline-unknown", { id: item.id }), ...changeTo(near) }, at));
	}
	if (skills > 0 && pipeline.length > 0 && !seen.has("skill-index"))
		problems.push(source.problem({ rule: "pipeline-no-skills", severity: "warning", ...messageOf("pipeline-no-skills") }, yaml.rangeOf(["pipeline"], true)));
	return problems;
}
