import type { HarnessFiles } from "@/server/harness/contract";
import { createRandom } from "@/server/kernel/random";
import { writeHook } from "./hook-parts";
import { paraphrase } from "./paraphrase";
import type { ToolParts } from "./read-parts";
import { renameMentions } from "./rename-mentions";
import type { DraftSkill, VariantDraft } from "./variant-draft";
import { followConstraints } from "./vary-rest";
import { fillSlots } from "./yaml-slots";

/** A text as it stands in the variant, with the names that components have there. */
const settle = (draft: VariantDraft, text: string) => renameMentions(text, draft.renames);

function writeSkill(draft: VariantDraft, skill: DraftSkill, files: HarnessFiles): void {
	const body = skill.lines.map((line) => line.text).join("\n");
	const name = draft.renames.skill.get(skill.name) ?? skill.name;
	if (!skill.original) {
		const type = skill.added?.type ?? "strategy";
		files[`skills/${name}/SKILL.md`] =
			`---\nname: ${name}\ndescription: ${JSON.stringify(skill.description)}\nmetadata:\n  type: ${type}\n  tags: []\n---\n${body}`;
		return;
	}
	const values = new Map([
		["name", name],
		["description", settle(draft, skill.description)],
	]);
	const { front } = skill.original;
	for (const { key, value } of front.slots) if (key.startsWith("allowed-tools")) values.set(key, renameMentions(value, draft.renames));
	files[`skills/${name}/SKILL.md`] = fillSlots(front, values) + settle(draft, body);
	for (const [path, text] of Object.entries(skill.original.others))
		files[`skills/${name}/${path}`] = /\.md$/u.test(path) ? settle(draft, followConstraints(draft, text)) : text;
}

function writeTool(draft: VariantDraft, tool: ToolParts, path: string, files: HarnessFiles): void {
	const { renames } = draft;
	const name = renames.tool.get(tool.name) ?? tool.name;
	const values = new Map<string, string>();
	for (const { key, value } of tool.yaml.slots) {
		const argument = renames.argument.get(value);
		if (key === "tool/name") values.set(key, name);
		else if (/description$|title$/u.test(key)) values.set(key, settle(draft, draft.toolTexts.get(tool.name)?.get(key) ?? value));
		else if (argument !== undefined && /properties\/[^/]+#key$|required\/\d+$|^arguments\/[^/]+#key$/u.test(key)) values.set(key, argument);
	}
	const own = tool.arguments.flatMap((argument) => {
		const next = renames.argument.get(argument);
		return next === undefined || tool.argumentNames[argument] !== undefined ? [] : [`${next}: ${JSON.stringify(argument)}`];
	});
	const text = fillSlots(tool.yaml, values);
	const named = path === `tools/${tool.name}.yaml` ? `tools/${name}.yaml` : path;
	files[named] = own.length > 0 ? `${text.trimEnd()}\narguments: { ${own.join(", ")} }\n` : text;
}

function writeHooks(draft: VariantDraft, files: HarnessFiles): void {
	const random = createRandom(`${draft.seed}/hook-words`);
	const exact = new Map([...draft.renames.skill, ...draft.renames.tool]);
	for (const hook of draft.parts.hooks) {
		// A hook that reads the functional identity compares with handlers, which do not change.
		const isName = (text: string) => exact.has(text) && !(draft.renames.tool.has(text) && hook.readsHandler);
		const change = (text: string, whole: boolean, inMessage: boolean) => {
			if (whole && hook.exactLiterals.has(text) && (isName(text) || exact.has(text))) return isName(text) ? (exact.get(text) as string) : text;
			if (!inMessage) return /\s|\p{Script=Han}/u.test(text) ? renameMentions(text, draft.renames) : text;
			const said = followConstraints(draft, text);
			return renameMentions(draft.hookStrength > 0 ? paraphrase(said, draft.book, draft.hookStrength, random) : said, draft.renames);
		};
		files[hook.path] = writeHook(hook, change, draft.hookFrame);
	}
}

function writeManifest(draft: VariantDraft): string {
	const { manifest, pipeline, harness } = draft.parts;
	const values = new Map([...draft.constraints].map(([name, { to }]) => [`constraints/${name}/value`, String(to)]));
	values.set("limits/maxHookRetries", String(draft.retries));
	const edits = [
		...manifest.slots.flatMap(({ key, start, end, value }) => {
			const next = values.get(key);
			return next === undefined || next === value ? [] : [{ start, end, to: next }];
		}),
		...pipeline.flatMap(({ start, source }, i) =>
			draft.pipeline[i] === source ? [] : [{ start, end: start + source.length, to: draft.pipeline[i] as string }],
		),
	].sort((a, b) => b.start - a.start);
	let text = harness.files["harness.yaml"] as string;
	for (const { start, end, to } of edits) text = text.slice(0, start) + to + text.slice(end);
	return text;
}

/** The variant's files, in the order of their paths. */
export function writeVariant(draft: VariantDraft): HarnessFiles {
	const files: HarnessFiles = { ...draft.parts.others, "harness.yaml": writeManifest(draft) };
	for (const skill of draft.skills) writeSkill(draft, skill, files);
	for (const [i, { path }] of draft.parts.harness.tools.entries()) writeTool(draft, draft.parts.tools[i] as ToolParts, path, files);
	for (const { id, path, front } of draft.parts.prompts)
		files[path] = front + settle(draft, (draft.promptLines.get(id) ?? []).map((line) => line.text).join("\n"));
	writeHooks(draft, files);
	return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}
