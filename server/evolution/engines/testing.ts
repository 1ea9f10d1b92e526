import type { DiagnosisCase } from "../contract";

/** An invented lamp shop as a harness: one skill that knows brightness, tools for lamps and parcels, nothing about guarantees. */
export const LAMP_SHOP: Record<string, string> = {
	"harness.yaml":
		"apiVersion: harness/v1\nkind: agent\nname: lamps\nlimits: { maxSteps: 6, maxHookRetries: 2, deadlineMs: 15000, targetP50Ms: 4000 }\nconstraints:\n  replyMaxChars: { value: 80, min: 40, max: 120, unit: chars }\npipeline: [role, { skills: index }, { tools: notes }]\nskills: { requireReplySkill: true }\n",
	"prompts/role.md": "---\ntitle: Role\n---\nYou answer in a lamp shop.\n",
	"skills/brightness/SKILL.md":
		'---\nname: brightness\ndescription: Answers how bright a lamp is. Use it for "how bright", "how many watts".\nmetadata:\n  type: reply\n  tags: [brightness]\n---\n# Brightness\n\n- When someone asks how bright it is, how many watts: call find_lamp, then answer “It has {{watts}} watts.”\n- When someone worries whether it breaks: answer “It will never ever break, we promise.”\n',
	"tools/find_lamp.yaml":
		"tool:\n  name: find_lamp\n  description: Looks a lamp up.\n  inputSchema: { type: object, properties: { lamp: { type: string, description: number or name of the lamp } }, additionalProperties: false }\n  outputSchema: { type: object, properties: { watts: { type: number, description: power in watts }, name: { type: string, description: name of the lamp } } }\nbinding: { kind: simulator, handler: find_lamp }\ntimeoutMs: 1000\nretry: { attempts: 1 }\n",
	"tools/find_guarantee.yaml":
		"tool:\n  name: find_guarantee\n  description: Looks the guarantee of a lamp up.\n  inputSchema: { type: object, properties: { lamp: { type: string, description: number or name of the lamp } }, additionalProperties: false }\n  outputSchema: { type: object, properties: { years: { type: number, description: years of guarantee }, note: { type: string, description: what the guarantee covers } } }\nbinding: { kind: simulator, handler: find_guarantee }\ntimeoutMs: 1000\nretry: { attempts: 1 }\n",
};

/** A failed case with everything that a test does not care about filled in. */
export function failure(caseId: string, message: string, reference: string | null, rest: Partial<DiagnosisCase> = {}): DiagnosisCase {
	return {
		caseId,
		episodeId: `e-${caseId}`,
		category: "guarantee",
		message,
		reply: "I do not have an answer to this.",
		failureType: "no-skill",
		blamed: null,
		loadedSkills: [],
		toolCalls: [],
		evidence: [],
		reference,
		...rest,
	};
}

const years = (n: number) => [
	{ kind: "fact", ok: false, rule: "the reply states guarantees.x.years", fact: `guarantees.x.years = ${n}` },
	{ kind: "tool-rationality", ok: false, rule: "expected: find_guarantee; called: none" },
];

/** Four requests about the guarantee, each with a number of its own. */
export const GUARANTEE_FAILURES: DiagnosisCase[] = [
	failure("g1", "how long is the guarantee on the moon lamp", "The guarantee runs 3 years, keep the receipt.", { evidence: years(3) }),
	failure("g2", "does the desk lamp come with a guarantee?", "The guarantee runs 2 years, keep the receipt.", { evidence: years(2) }),
	failure("g3", "guarantee period for this one pls", "The guarantee runs 5 years, keep the receipt.", { evidence: years(5) }),
	failure("g4", "is there any guarantee if i buy two", "The guarantee runs 4 years, keep the receipt.", { evidence: years(4) }),
];

/** Requests that pass today, with their replies: what must not break. */
export const PASSING = [
	["p1", "how bright is the moon lamp", "It has 9 watts."],
	["p2", "how many watts does it take", "It has 12 watts."],
	["p3", "is it bright enough to read", "It has 7 watts."],
	["p4", "watts of the desk lamp?", "It has 5 watts."],
].map(([caseId = "", message = "", reply = ""]) => ({ caseId, category: "brightness", message, loadedSkills: ["brightness"], reply, reference: reply }));
