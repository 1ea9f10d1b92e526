import { CaseSchema } from "@/server/evaluation/contract";
import { validateHarness } from "@/server/harness";
import type { Harness, HarnessFiles } from "@/server/harness/contract";
import { createRubricJudge } from "@/server/judge";
import type { Playground, Stage, TrainingCase } from "../rollouts/playground";
import { createRewardJudge } from "../rollouts/reward-judge";

/** An invented lamp shop for tests: two skills whose descriptions mislead, one tool, no hooks. */
export const LAMP_FILES: HarnessFiles = {
	"harness.yaml":
		"apiVersion: harness/v1\nkind: agent\nname: lamps\nlimits: { maxSteps: 8, maxHookRetries: 2, deadlineMs: 15000, targetP50Ms: 4000 }\nconstraints:\n  replyMaxChars: { value: 90, min: 60, max: 120, unit: chars }\npipeline: [role, { skills: index }, { tools: notes }]\nskills: { requireReplySkill: true }\n",
	"prompts/role.md": "---\ntitle: Role\n---\nYou answer for a lamp shop.\n",
	"skills/glow/SKILL.md":
		"---\nname: glow\ndescription: Answers questions about light.\nmetadata:\n  type: reply\n  tags: [light]\n---\n# Light\n\n- When someone asks how bright a lamp is: call find_lamp, then answer “It gives {{watts}} watts.”\n- When someone asks whether it can be dimmed: answer “Yes, by the wheel.”\n",
	"skills/parcels/SKILL.md":
		"---\nname: parcels\ndescription: Answers questions about parcels and days.\nmetadata:\n  type: reply\n  tags: [parcel]\n---\n# Parcels\n\n- When someone asks when it comes: answer “It comes within three days.”\n- When someone asks for another address: answer “Write to us before noon.”\n",
	"tools/find_lamp.yaml":
		"tool:\n  name: find_lamp\n  description: Finds a lamp.\n  inputSchema: { type: object, properties: {}, additionalProperties: false }\n  outputSchema: { type: object, properties: { watts: { type: number, description: watts } } }\nbinding: { kind: simulator, handler: find_lamp }\n",
};

export function openHarness(files: HarnessFiles): Harness {
	const { harness, problems } = validateHarness(files, { handlers: ["find_lamp"], connections: null, rooms: [] });
	if (!harness) throw new Error(JSON.stringify(problems));
	return harness;
}

const ASKED: [message: string, skill: string, tool: boolean, says: string][] = [
	["how bright is it", "light", true, "9"],
	["does it shine a lot", "light", true, "9"],
	["will my room be lit well", "light", true, "9"],
	["is it a dim one", "light", true, "9"],
	["can I dim it", "light", false, "wheel"],
	["make it darker at night please", "light", false, "wheel"],
	["when does it come", "parcel", false, "three days"],
	["how long do I wait", "parcel", false, "three days"],
	["will it be here soon", "parcel", false, "three days"],
	["can you send it to my office", "parcel", false, "before noon"],
	["my flat has moved", "parcel", false, "before noon"],
	["another street, is that possible", "parcel", false, "before noon"],
];

/** Cases of the lamp shop. */
export const LAMP_CASES: TrainingCase[] = ASKED.map(([message, skill, tool, says], i) => ({
	key: `lamp-${i}`,
	category: skill,
	groupKey: `lamp-${i}`,
	content: CaseSchema.parse({
		id: `lamp-${i}`,
		category: skill,
		split: "dev",
		message,
		expect: { skills: [skill], ...(tool ? { tools: ["find_lamp"] } : { noTool: true }) },
		rubric: [{ kind: "contains", any: [says] }],
	}),
}));

/** The lamp shop without a sandbox: its harness has no hooks, and its tool answers at once. */
export function openLampShop(): { playground: Playground; stage: Stage } {
	const agent: Playground["agent"] = {
		sandbox: {
			run: () => Promise.reject(new Error("The lamp shop has no hooks.")),
			release: () => undefined,
			close: () => Promise.resolve(),
		} as unknown as Playground["agent"]["sandbox"],
		tools: { simulator: { execute: () => Promise.resolve({ watts: 9 }) } },
	};
	const room = { title: "", now: "2026-01-01T10:00:00+00:00", viewer: {}, notes: {} };
	return {
		playground: { agent, world: { lamp: { watts: 9 } }, resolveRoom: () => room, rewardJudge: createRewardJudge(createRubricJudge()), references: null },
		stage: { id: "original", harness: openHarness(LAMP_FILES), original: {} },
	};
}
