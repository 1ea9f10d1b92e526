import type { HarnessFiles } from "@/server/harness/contract";
import { createRandom } from "@/server/kernel/random";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { StudioUnderTest } from "./studio-under-test";

export const SKILLS = ["parking", "pricing", "booking", "refunds", "opening"] as const;

const PROMPT = `---
title: Role
---
You answer visitors of {{ room.title }}, briefly and in their own language. Say only what you know. At most {{ constraints.replyMaxChars }} characters.
`;
const manifest = (name: string) => `apiVersion: harness/v1
kind: agent
name: ${name}
limits: { maxSteps: 4, maxHookRetries: 2, deadlineMs: 30000, targetP50Ms: 1000 }
constraints:
  replyMaxChars: { value: 200, min: 50, max: 400, unit: chars }
pipeline: [role, { skills: index }]
skills: { requireReplySkill: false }
`;
const HOOK = `/** Replies longer than the limit go back to the model. */
export default {
	on: "reply",
	run({ reply, constraints }) {
		const length = [...reply].length;
		return length > constraints.replyMaxChars ? retry(\`The reply has \${length} characters; the limit is \${constraints.replyMaxChars}.\`) : pass();
	},
};
`;

/** A harness that answers in one step. */
export const oneStepHarness = (withHook: boolean): HarnessFiles => ({
	"harness.yaml": manifest("bench").replace(", { skills: index }", ""),
	"prompts/role.md": PROMPT,
	...(withHook ? { "hooks/40-reply-length.js": HOOK } : {}),
});

/** A harness with skills; `rule` is a line of one of them. */
export const skillHarness = (rule: string): HarnessFiles => ({
	"harness.yaml": manifest("bench-skills"),
	"prompts/role.md": PROMPT,
	...Object.fromEntries(
		SKILLS.map((name) => [
			`skills/${name}/SKILL.md`,
			`---\nname: ${name}\ndescription: Questions about ${name}.\nmetadata:\n  type: reply\n---\n- say what is known about ${name}\n${name === SKILLS[0] ? `- ${rule}\n` : ""}`,
		]),
	),
});

/** Cases whose messages mention one of the skills, a fifth each; no two alike. */
export function caseLines(count: number): string {
	const random = createRandom("bench");
	const letters = "abcdefghijklmnopqrstuvwxyz";
	const word = () => Array.from({ length: 3 + random.int(6) }, () => letters[random.int(26)]).join("");
	return Array.from({ length: count }, (_, index) => {
		const skill = SKILLS[index % SKILLS.length];
		const message = `${word()} ${word()} ${skill} ${word()} ${word()} ${word()}`;
		return JSON.stringify({ id: `bench-${index + 1}`, category: "bench", split: "dev", message, rubric: [{ kind: "contains", any: ["asked"] }] });
	}).join("\n");
}

/** A workspace with cases and the model server as its policy; returns what a run needs. */
export async function makeWorkspace({ services, modelUrl }: StudioUnderTest, options: { slug: string; cases: number }) {
	const actor = SERVICE_ACTORS.system;
	const workspace = await services.workspace.create(
		{
			apiVersion: "workspace/v1",
			slug: options.slug,
			title: { en: "Bench", zh: "Bench" },
			language: "en",
			measure: "rubric",
			suite: { id: "bench", title: { en: "Bench", zh: "Bench" } },
			categories: [{ id: "bench", title: { en: "Bench", zh: "Bench" } }],
			settings: {},
		},
		actor,
	);
	const rooms = JSON.stringify({ hall: { title: "the town hall", now: "2026-03-02T10:00:00+01:00" } });
	await services.workspace.setBundle(workspace.id, { "rooms.json": rooms });
	const limits = { concurrency: 50, timeoutMs: 10_000 };
	const endpoint = await services.models.createEndpoint(workspace.id, actor, { name: "bench", baseUrl: modelUrl, model: "ok", limits, allowPrivate: true });
	const report = await services.evaluation.importCaseFiles(
		{ workspaceId: workspace.id, suiteKey: "bench", suiteTitle: { en: "Bench", zh: "Bench" } },
		{ "cases/bench.jsonl": caseLines(options.cases) },
		actor,
	);
	if (report.accepted !== options.cases)
		throw new Error(`${report.accepted} of ${options.cases} cases were imported: ${JSON.stringify(report.rejected.slice(0, 3))}`);
	const suite = await services.evaluation.currentSuiteVersion(workspace.id, "bench");
	if (!suite) throw new Error("the suite is missing");
	const policy = await services.policies.ensureEndpoint(workspace.id, endpoint.id);
	const judge = await services.judges.current(workspace.id);
	const binding = { workspaceId: workspace.id, suiteVersionId: suite.id, split: "dev" as const, commit: null, trials: 1, seed: 1, reason: "manual" as const };
	return { ...binding, policyVersionId: policy.id, judgeVersionId: judge.id };
}
