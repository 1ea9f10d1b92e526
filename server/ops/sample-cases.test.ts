import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Trajectory } from "@/server/agent/contract";
import { type CaseFile, CaseSchema } from "@/server/evaluation/contract";
import { createRubricJudge } from "@/server/judge";
import type { Verdict } from "@/server/judge/contract";
import { charNgrams, jaccard } from "@/server/kernel/text";
import { parseBundle, resolveRoom } from "@/server/simulator";

/*
 * The cases of the sample workspace, and the rubrics' own tests of the judge: each case that ships probes has replies that
 * are right, which must pass, and near misses, which must not.
 */

const SAMPLE = path.resolve("examples/live-avatar");
const read = (...parts: string[]) => fs.readFileSync(path.join(SAMPLE, ...parts), "utf8");
const list = (folder: string) => fs.readdirSync(path.join(SAMPLE, folder)).map((name) => `${folder}/${name}`);

const bundle = parseBundle(Object.fromEntries([...list("world"), ...list("tools"), "rooms.json"].map((file) => [file, read(file)])));
const casesOf = (folder: string): CaseFile[] =>
	list(folder).flatMap((file) =>
		read(file)
			.trim()
			.split("\n")
			.map((row) => CaseSchema.parse(JSON.parse(row))),
	);
const [own, wide] = [casesOf("cases"), casesOf("suites/wide")];
const cases = [...own, ...wide];
const judge = createRubricJudge();

function verdictOn(one: CaseFile, reply: string): Promise<Verdict> {
	const room = resolveRoom(bundle, one.room);
	const trajectory: Trajectory = {
		...{ version: 1, treeId: "tree", policy: "probe", seed: 1, message: one.message, history: one.history },
		...{ steps: [], outcome: "replied", reply, durationMs: 0 },
	};
	const known = {
		category: one.category,
		rubric: one.rubric,
		expect: one.expect,
		reference: one.reference ?? null,
		references: null,
		room,
		world: bundle.world,
	};
	return judge.judge({ case: known, trajectory, harness: { skills: [], tools: [] } }, new AbortController().signal);
}

const right = ({ accuracy, effectiveness }: Verdict) => accuracy === 1 && effectiveness === 1;
const why = (reply: string, { evidence }: Verdict) => `${reply} ${JSON.stringify(evidence.filter(({ ok }) => !ok))}`;

describe("the cases of the sample workspace", () => {
	it("are enough, in every split and category", () => {
		const count = (split: CaseFile["split"], among = own) => among.filter((one) => one.split === split).length;
		expect([count("dev") >= 140, count("test") >= 240, count("holdout") >= 100]).toEqual([true, true, true]);
		expect(wide.every(({ split }) => split === "test")).toBe(true);
		expect(count("test", cases)).toBeGreaterThanOrEqual(500);
		expect(new Set(cases.map(({ category }) => category)).size).toBeGreaterThanOrEqual(9);
		expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
		expect(cases.filter(({ probes }) => probes && probes.pass.length >= 2 && probes.fail.length >= 2).length).toBeGreaterThanOrEqual(100);
	});

	it("are no two alike", () => {
		const grams = cases.map(({ message }) => charNgrams(message, 3));
		const alike = cases.flatMap((one, i) =>
			cases.slice(0, i).flatMap((other, j) => (jaccard(grams[i] as Set<string>, grams[j] as Set<string>) > 0.6 ? [`${one.id} ${other.id}`] : [])),
		);
		expect(alike).toEqual([]);
	});

	it("of dev have a reference that their own rubric passes", async () => {
		const wrong: string[] = [];
		for (const one of cases.filter(({ split }) => split === "dev")) {
			const verdict = await verdictOn(one, one.reference ?? "");
			if (!right(verdict)) wrong.push(`${one.id}: ${why(one.reference ?? "", verdict)}`);
		}
		expect(wrong).toEqual([]);
	});

	it("pass the right replies that come with them, and fail the near misses", async () => {
		const wrong: string[] = [];
		for (const one of cases) {
			for (const [kind, replies] of Object.entries(one.probes ?? {})) {
				for (const reply of replies) {
					const verdict = await verdictOn(one, reply);
					if (right(verdict) !== (kind === "pass")) wrong.push(`${one.id}, ${kind}: ${why(reply, verdict)}`);
				}
			}
		}
		expect(wrong).toEqual([]);
	});
});
