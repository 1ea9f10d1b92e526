/** What the notes of a release are made of. */
export interface NoteProposal {
	number: number;
	title: string;
	summary: string;
	engine: string;
	authors: string[];
	approvedBy: string | null;
	findings: { number: number; title: string }[];
	round: string;
	unattended: boolean;
}

/** Typed text in a list of ours: one line, and nothing that Markdown would read as structure. */
const inline = (text: string) =>
	text
		.replace(/\s+/g, " ")
		.replace(/([\\`*_[\]<>#|])/g, "\\$1")
		.trim();

/** The summary's lines, without its list marks and without what the title says already. */
function pointsOf({ summary, title }: NoteProposal): string[] {
	const lines = summary.split("\n").map((line) => line.replace(/^\s*[-*•]\s+/, "").trim());
	return lines.filter((line) => line !== "" && line !== title).slice(0, 12);
}

/** Release notes from the manifests of what landed, oldest first, in Markdown. Pure. */
export function writeNotes(input: { title: string; round: string; against: string; proposals: readonly NoteProposal[] }): string {
	const lines = [`${inline(input.title)} · ${input.round}, compared with ${input.against}`, ""];
	for (const p of input.proposals) {
		lines.push(`- **#${p.number} ${inline(p.title)}** (${p.round})`);
		for (const point of pointsOf(p)) lines.push(`  - ${inline(point)}`);
		if (p.findings.length > 0) lines.push(`  - For ${p.findings.map((f) => `F-${f.number} ${inline(f.title)}`).join("; ")}`);
		const by = p.engine === "person" ? inline(p.authors.join(", ")) : `${inline(p.engine)} for ${inline(p.authors.join(", "))}`;
		lines.push(`  - By ${by}; approved by ${inline(p.approvedBy ?? "nobody")}${p.unattended ? " (unattended)" : ""}`);
	}
	if (input.proposals.length === 0) lines.push("- No proposal landed.");
	return `${lines.join("\n")}\n`;
}
