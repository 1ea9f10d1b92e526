import { validateHarness } from "@/server/harness";
import type { Harness, HarnessFiles, Room } from "@/server/harness/contract";
import type { Policy, PolicyRequest, PolicyStep, ToolCall } from "../contract";

const FILES: HarnessFiles = {
	"harness.yaml": `apiVersion: harness/v1
kind: agent
name: library
limits: { maxSteps: 6, maxHookRetries: 2, deadlineMs: 5000, targetP50Ms: 1000 }
constraints:
  replyMaxChars: { value: 40, min: 20, max: 60, unit: chars }
pipeline: [role, { skills: index }, { tools: notes }]
skills: { requireReplySkill: false }
`,
	"prompts/role.md": "---\ntitle: Role\n---\nYou help readers of {{ room.title }}. At most {{ constraints.replyMaxChars }} characters.\n",
	"skills/opening-hours/SKILL.md":
		'---\nname: opening-hours\ndescription: When the library is open.\nmetadata:\n  type: reply\n---\n- when asked for hours: say "open until {{closes}}"\n',
	"tools/find_book.yaml": `tool:
  name: find_book
  description: Finds a book by title.
  inputSchema: { type: object, properties: { title: { type: string, minLength: 1, pattern: "^[^<]*$" } }, required: [title], additionalProperties: false }
binding: { kind: simulator, handler: books }
timeoutMs: 200
`,
};

/** A validated harness for tests, with files added, replaced or (null) removed. */
export function sampleHarness(changes: Record<string, string | null> = {}): Harness {
	const files = Object.fromEntries(Object.entries({ ...FILES, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null));
	const { harness, problems } = validateHarness(files);
	if (!harness) throw new Error(problems.map((problem) => `${problem.file}:${problem.line} ${problem.message}`).join("\n"));
	return harness;
}

/** The sample's manifest with other limits or requirements. */
export const manifest = (changes: { maxSteps?: number; maxHookRetries?: number; requireReplySkill?: boolean }): string =>
	(FILES["harness.yaml"] ?? "")
		.replace("maxSteps: 6", `maxSteps: ${changes.maxSteps ?? 6}`)
		.replace("maxHookRetries: 2", `maxHookRetries: ${changes.maxHookRetries ?? 2}`)
		.replace("requireReplySkill: false", `requireReplySkill: ${changes.requireReplySkill ?? false}`);

/** The sample's tool with retries. */
export const toolWithRetries = (attempts: number): string => `${FILES["tools/find_book.yaml"]}retry: { attempts: ${attempts} }\n`;

export const sampleRoom: Room = { title: "the town library", now: "2026-03-02T10:00:00+01:00", viewer: {}, notes: {} };

export const say = (content: string): Partial<PolicyStep> => ({ content });
export const use = (...calls: [name: string, args: unknown, invalid?: string][]): Partial<PolicyStep> => ({
	toolCalls: calls.map(([name, args, invalid], index): ToolCall => ({ id: `c${index}`, name, arguments: args, ...(invalid ? { invalid } : {}) })),
	finishReason: "tool-calls",
});

export type Script = (Partial<PolicyStep> | Error | ((request: PolicyRequest, signal: AbortSignal) => Partial<PolicyStep> | Promise<Partial<PolicyStep>>))[];

/** A policy that follows a script and keeps what it was asked. The last line repeats. */
export function scriptedPolicy(script: Script): Policy & { requests: PolicyRequest[] } {
	const requests: PolicyRequest[] = [];
	return {
		requests,
		describe: () => ({ kind: "endpoint", name: "scripted", fingerprint: "scripted", deterministic: true }),
		async act(request, signal) {
			requests.push(request);
			const line = script[Math.min(requests.length, script.length) - 1];
			if (line instanceof Error) throw line;
			const step = typeof line === "function" ? await line(request, signal) : line;
			return {
				content: null,
				toolCalls: [],
				reasoning: null,
				usage: { prompt: 10, completion: 5, reasoning: 0 },
				latencyMs: 1,
				finishReason: "stop",
				cached: false,
				requestHash: `h${requests.length}`,
				...step,
			};
		},
	};
}
