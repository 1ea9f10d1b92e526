import type { Harness, PreviewBlock, PreviewView, RenderedHarness, Room } from "./contract";
import { diffLines } from "./diff-files";
import { estimateTokens, renderHarness } from "./render-harness";

/** The assembled prompt of a harness in a room, block by block, beside the same of another version (null: nothing to compare). */
export function previewHarness(harness: Harness, before: Harness | null, room: { name: string; room: Room }): PreviewView {
	const rendered = renderHarness(harness, room.room);
	const old = before ? renderOrNull(before, room.room) : null;
	const blocks = rendered.blocks.map((block): PreviewBlock => {
		const same = old?.blocks.find((candidate) => candidate.id === block.id);
		const text = `# ${block.title}\n\n${block.text}`;
		const previous = same ? `# ${same.title}\n\n${same.text}` : null;
		return {
			...block,
			lines: diffLines(old ? (same?.text ?? "") : block.text, block.text),
			status: previous === null ? (old ? "added" : "same") : previous === text ? "same" : "modified",
			tokens: estimateTokens(text),
			tokensBefore: previous === null ? 0 : estimateTokens(previous),
		};
	});
	for (const gone of old?.blocks.filter((block) => !rendered.blocks.some((candidate) => candidate.id === block.id)) ?? [])
		blocks.push({
			...gone,
			text: "",
			lines: diffLines(gone.text, ""),
			status: "deleted",
			tokens: 0,
			tokensBefore: estimateTokens(`# ${gone.title}\n\n${gone.text}`),
		});
	return {
		room: room.name,
		treeId: rendered.treeId,
		blocks,
		systemPrompt: rendered.systemPrompt,
		tokens: estimateTokens(rendered.systemPrompt),
		tokensBefore: old ? estimateTokens(old.systemPrompt) : null,
	};
}

/** The version that is compared with may not fit this room; the preview is still worth showing. */
function renderOrNull(harness: Harness, room: Room): RenderedHarness | null {
	try {
		return renderHarness(harness, room);
	} catch {
		return null;
	}
}
