import type { HarnessFiles, Room } from "../contract";

/** A small valid harness about nothing in particular, for tests. */
export function sampleHarness(changes: Record<string, string | null> = {}): HarnessFiles {
	const files: HarnessFiles = {
		"harness.yaml": `apiVersion: harness/v1
kind: agent
name: sample
limits: { maxSteps: 4, maxHookRetries: 1, deadlineMs: 8000, targetP50Ms: 2000 }
constraints:
  replyMaxChars: { value: 80, min: 50, max: 100, unit: chars }
pipeline: [role, { skills: index }, { tools: notes }, style]
skills: { requireReplySkill: true }
`,
		"prompts/role.md": "---\ntitle: Role\n---\nYou answer in {{ room.title }}. It is {{ room.now }}.\n",
		"prompts/style.md": "---\ntitle: Style\n---\nKeep replies within {{ constraints.replyMaxChars }} characters.\n",
		"skills/greeting/SKILL.md":
			"---\nname: greeting\ndescription: Greets people. Use it when someone says hello.\nmetadata:\n  type: reply\n---\n- when someone says hello: “Hello, {{name}}.”\n",
		"tools/look_up.yaml": `tool:
  name: look_up
  description: Looks a person up.
  inputSchema: { type: object, properties: { id: { type: string, pattern: "^[a-z]+$" } }, required: [id], additionalProperties: false }
  outputSchema: { type: object, properties: { name: { type: string, description: "their name" }, address: { type: object, properties: { city: { type: string } } } } }
binding: { kind: simulator, handler: look_up }
timeoutMs: 1000
retry: { attempts: 1 }
`,
		"hooks/10-length.js":
			'export default {\n\ton: "reply",\n\tfailure: "closed",\n\trun({ reply, constraints }) {\n\t\treturn [...reply].length > constraints.replyMaxChars ? retry("too long") : pass();\n\t},\n};\n',
	};
	for (const [path, text] of Object.entries(changes)) {
		if (text === null) delete files[path];
		else files[path] = text;
	}
	return files;
}

export const sampleRoom: Room = { title: "the lobby", now: "2026-03-01T10:00:00+08:00", viewer: { name: "Ada", level: 2 }, notes: {} };
