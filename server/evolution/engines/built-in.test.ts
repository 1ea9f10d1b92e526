import { describe, expect, it } from "vitest";
import { applyChanges, validateHarness } from "@/server/harness";
import type { DiagnosisCase } from "../contract";
import { shuffleFailures } from "../diagnose";
import { createBuiltInDiagnosis } from "./diagnose-built-in";
import { createBuiltInEditor } from "./edit-built-in";
import { failure, GUARANTEE_FAILURES, LAMP_SHOP, PASSING } from "./testing";

const signal = new AbortController().signal;

async function edit(cases: DiagnosisCase[], rest: { component?: string | null; files?: Record<string, string>; failures?: DiagnosisCase[] } = {}) {
	const files = rest.files ?? LAMP_SHOP;
	const finding = { title: "t", hypothesis: "h", category: "guarantee", failureType: "no-skill", component: rest.component ?? null, note: null, cases };
	const result = await createBuiltInEditor().edit(
		{ findings: [finding], failures: rest.failures ?? cases, passing: PASSING, files, language: "en", seed: 1 },
		signal,
	);
	return { ...result, files: result.value ? applyChanges(files, result.value.changes) : files };
}

describe("built-in diagnosis", () => {
	const diagnose = (failed: DiagnosisCase[], language = "en") => createBuiltInDiagnosis().diagnose({ failed, total: 20, files: LAMP_SHOP, language }, signal);

	it("groups failures by category, failure type and component", async () => {
		const other = [1, 2].map((i) =>
			failure(`b${i}`, "too bright?", "It has 9 watts.", { category: "brightness", failureType: "missing-point", blamed: "skill:brightness" }),
		);
		const { value, engine } = await diagnose([...GUARANTEE_FAILURES, ...other]);
		expect(engine).toBe("built-in");
		expect(value.map((finding) => [finding.category, finding.failureType, finding.component, finding.caseIds])).toEqual([
			["guarantee", "no-skill", null, ["g1", "g2", "g3", "g4"]],
			["brightness", "missing-point", "skill:brightness", ["b1", "b2"]],
		]);
		expect(value[0]?.confidence).toBeGreaterThan(value[1]?.confidence ?? 1);
		expect(value[0]?.episodeIds).toEqual(["e-g1", "e-g2", "e-g3", "e-g4"]);
	});

	it("leaves out what is alone, and takes it in where its reply belongs", async () => {
		const alone = failure("x1", "nonsense", "Something else entirely.", { category: "other" });
		const kin = failure("g5", "guarantee??", "The guarantee runs 9 years, keep the receipt.", { failureType: "missing-tool", blamed: "skill:brightness" });
		const { value } = await diagnose([...GUARANTEE_FAILURES, alone, kin]);
		expect(value).toHaveLength(1);
		expect(value[0]?.caseIds).toEqual(["g1", "g2", "g3", "g4", "g5"]);
	});

	it("keeps each sentence beside its text as a phrase, with the category by its titles", async () => {
		const titles = { guarantee: { en: "Guarantee", zh: "保修" } };
		const input = { failed: GUARANTEE_FAILURES, total: 20, files: LAMP_SHOP, titles };
		const [en, zh] = await Promise.all(
			["en", "zh"].map(async (language) => (await createBuiltInDiagnosis().diagnose({ ...input, language }, signal)).value[0]),
		);
		expect(en?.title).toBe("Guarantee: has no skill that is meant for it (4 cases)");
		expect(zh?.title).toBe("保修：没有对应的技能（4 条）");
		const phrase = { id: "finding", params: { category: titles.guarantee, fault: { id: "fault-no-skill", params: {} }, cases: 4 } };
		expect(en?.phrases?.[en.title]).toEqual(phrase);
		expect(zh?.phrases?.[zh.title]).toEqual(phrase);
		expect(zh?.phrases?.[zh.hypothesis]).toEqual(en?.phrases?.[en.hypothesis]);
	});

	it("speaks the language of the workspace", async () => {
		expect((await diagnose(GUARANTEE_FAILURES, "zh")).value[0]?.title).toMatch(/没有对应的技能/u);
		expect((await diagnose(GUARANTEE_FAILURES)).value[0]?.hypothesis).toContain("years missing repeatedly");
	});
});

describe("built-in editor", () => {
	it("writes one rule for the cluster, with the tool and fields instead of one case's number", async () => {
		const { value, files } = await edit(GUARANTEE_FAILURES);
		const skill = files["skills/guarantee/SKILL.md"] ?? "";
		expect(skill).toContain("tags:");
		const rules = skill.split("\n").filter((line) => line.startsWith("- When"));
		expect(rules).toHaveLength(1);
		expect(rules[0]).toContain("find_guarantee");
		expect(rules[0]).toContain("{{years}} years, keep the receipt");
		expect(rules[0]).toContain("“guarantee”");
		expect(value?.manifest.predictedFixes.length).toBeGreaterThanOrEqual(2);
		expect(value?.manifest.predictedBreaks).toEqual([]);
		expect(value?.manifest.files).toEqual(["skills/guarantee/SKILL.md"]);
		const lines = value?.manifest.summary.split("\n").map((line) => line.replace(/^- /, "")) ?? [];
		expect(lines.map((line) => value?.manifest.phrases?.[line]?.id)).toEqual(["edit-create"]);
	});

	it("writes conditions from what the messages share, never from one message", async () => {
		const skill = (await edit(GUARANTEE_FAILURES)).files["skills/guarantee/SKILL.md"] ?? "";
		const quoted = [...skill.matchAll(/“([^”]+)”/gu)].map((match) => match[1] ?? "").filter((text) => !text.includes("{{"));
		expect(quoted.length).toBeGreaterThan(0);
		for (const term of quoted)
			expect(GUARANTEE_FAILURES.filter(({ message, reference }) => `${message}\n${reference}`.includes(term)).length, term).toBeGreaterThan(1);
	});

	it("leaves a harness that validates", async () => {
		const { files } = await edit(GUARANTEE_FAILURES);
		expect(validateHarness(files).problems.filter((problem) => problem.severity === "error")).toEqual([]);
	});

	it("never writes a rule for one case alone", async () => {
		expect((await edit(GUARANTEE_FAILURES.slice(0, 1))).value).toBeNull();
	});

	it("says nothing when the replies are not about the messages", async () => {
		const mixed = [
			failure("a", "how long is the guarantee on the moon lamp", "Our parcels leave on Mondays with the night train."),
			failure("b", "does the desk lamp come with a guarantee?", "Our parcels leave on Fridays with the night train."),
		];
		expect((await edit(mixed, { failures: [...mixed, ...GUARANTEE_FAILURES] })).value).toBeNull();
	});

	it("learns less from shuffled evidence than from true evidence", async () => {
		const topics = ["guarantee", "shade", "cable", "bulb"].flatMap((topic) =>
			[1, 2, 3].map((i) =>
				failure(
					`${topic}${i}`,
					["about the X please", "question on your X", "what of the X here"][i - 1]?.replace("X", topic) ?? "",
					`The ${topic} is explained on the ${topic} card in the box.`,
					{ category: topic },
				),
			),
		);
		const fixesOf = async (cases: DiagnosisCase[]) => {
			let fixes = 0;
			for (const category of new Set(cases.map((c) => c.category))) {
				const finding = {
					title: "t",
					hypothesis: "h",
					category,
					failureType: "no-skill",
					component: null,
					note: null,
					cases: cases.filter((c) => c.category === category),
				};
				const { value } = await createBuiltInEditor().edit(
					{ findings: [finding], failures: cases, passing: PASSING, files: LAMP_SHOP, language: "en", seed: 1 },
					signal,
				);
				fixes += value?.manifest.predictedFixes.length ?? 0;
			}
			return fixes;
		};
		expect(await fixesOf(topics)).toBeGreaterThanOrEqual(9);
		expect(await fixesOf(shuffleFailures(topics, 3))).toBeLessThan(4);
	});

	it("deals nobody what belongs to their own category", () => {
		const topics = ["a", "b", "c"].flatMap((category) => [1, 2, 3, 4].map((i) => failure(`${category}${i}`, `m${category}${i}`, `r${category}`, { category })));
		for (let seed = 0; seed < 20; seed++) {
			const dealt = shuffleFailures(topics, seed);
			expect(dealt.map((c) => [c.caseId, c.message])).toEqual(topics.map((c) => [c.caseId, c.message]));
			expect(dealt.filter((c) => c.reference === `r${c.category}`)).toEqual([]);
			expect(dealt.map((c) => c.reference).sort()).toEqual(topics.map((c) => c.reference).sort());
		}
	});

	it("takes a promise back at its source and forbids it", async () => {
		const claim = { kind: "not-contains", ok: false, rule: "forbidden claim “never ever break”", sentence: "It will never ever break, we promise." };
		const cases = [
			failure("c1", "does it break easily", "It is made of glass and may break, the guarantee helps.", {
				failureType: "forbidden-claim",
				blamed: "skill:brightness",
				evidence: [claim],
			}),
			failure("c2", "will it break when it falls", "It is made of glass and may break, the guarantee helps.", {
				failureType: "forbidden-claim",
				blamed: "skill:brightness",
				evidence: [claim],
			}),
		];
		const text = (await edit(cases, { component: "skill:brightness" })).files["skills/brightness/SKILL.md"] ?? "";
		expect(text).not.toContain("It will never ever break");
		expect(text).toContain("may break, the guarantee helps");
		expect(text).toContain("Never say “never ever break”");
	});

	it("is the same twice", async () => {
		expect((await edit(GUARANTEE_FAILURES)).value).toEqual((await edit(GUARANTEE_FAILURES)).value);
	});

	it("edits nothing in a harness that does not validate", async () => {
		const { value, notice } = await edit(GUARANTEE_FAILURES, { files: { ...LAMP_SHOP, "harness.yaml": "kind: [" } });
		expect(value).toBeNull();
		expect(notice?.text).toMatch(/does not validate/);
	});
});
