import { describe, expect, it } from "vitest";
import { treeIdOf } from "@/server/harness";
import { sampleHarness } from "@/server/harness/testing/sample-harness";
import { augment } from "./augment";
import { VariantPreviewSchema } from "./contract";
import { DEFAULT_ENVELOPE, narrowEnvelope } from "./envelope";
import { pairFiles } from "./pair-files";
import { previewVariant } from "./preview-variant";

const files = sampleHarness();
const original = { files, treeId: treeIdOf(files) };

describe("a preview", () => {
	it("shows each changed file beside its original, and those that are on one side only", () => {
		const envelope = narrowEnvelope(DEFAULT_ENVELOPE, ["skillIdentity", "tools"]);
		for (const transform of Object.values(envelope.tools)) transform.strength = { min: 1, max: 1 };
		const { files: after, mapping } = augment({ ...original, envelope, seed: 1, keep: { skills: [], rules: [], tools: [] } });
		const pairs = pairFiles(files, after, mapping);
		const tool = pairs.find((pair) => pair.before?.path === "tools/look_up.yaml");
		expect(tool?.after?.path).toBe(`tools/${mapping.tools.look_up}.yaml`);
		expect(pairs.filter((pair) => pair.before === null).map((pair) => pair.after?.path)).toEqual(
			mapping.added.skills.map((name) => `skills/${name}/SKILL.md`).sort(),
		);
		for (const pair of pairs) expect(pair.before).not.toEqual(pair.after);
		const shown = new Set(pairs.flatMap((pair) => pair.after?.path ?? []));
		for (const [path, text] of Object.entries(after)) if (!shown.has(path)) expect(files[path]).toBe(text);
	});
	it("is inside its envelope; an impossible one gives its problems and no variant", () => {
		const shown = previewVariant(original, DEFAULT_ENVELOPE, 3, "transforms");
		expect(VariantPreviewSchema.parse(shown).variant?.distance.inside).toBe(true);
		const bad = structuredClone(DEFAULT_ENVELOPE);
		bad.tools.rename.likelihood = 3;
		expect(previewVariant(original, bad, 3, "transforms")).toEqual({
			problems: [expect.objectContaining({ dimension: "tools", transform: "rename" })],
			variant: null,
		});
	});
});
