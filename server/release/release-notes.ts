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

interface Words {
	head: (title: string, round: string, against: string) => string;
	because: (findings: string[]) => string;
	by: (author: string, engine: string | null, approver: string | null, unattended: boolean) => string;
	none: string;
}

const ENGLISH: Words = {
	head: (title, round, against) => `${title} · ${round}, compared with ${against}`,
	because: (findings) => `For ${findings.join("; ")}`,
	by: (author, engine, approver, unattended) =>
		`By ${engine === null ? author : `${engine} for ${author}`}; approved by ${approver ?? "nobody"}${unattended ? " (unattended)" : ""}`,
	none: "No proposal landed.",
};

const CHINESE: Words = {
	head: (title, round, against) => `${title} · ${round}，与 ${against === "base" ? "基线" : against} 比较`,
	because: (findings) => `针对 ${findings.join("；")}`,
	by: (author, engine, approver, unattended) =>
		`${engine === null ? author : `${engine} 受 ${author} 委托`}撰写；${approver === null ? "无人批准" : `${approver} 批准`}${unattended ? "（无人值守）" : ""}`,
	none: "没有提案落地。",
};

/** Release notes from the manifests of what landed, oldest first, in Markdown, in the language that the workspace writes. Pure. */
export function writeNotes(input: { title: string; round: string; against: string; proposals: readonly NoteProposal[]; language: string }): string {
	const words = input.language.startsWith("zh") ? CHINESE : ENGLISH;
	const lines = [words.head(inline(input.title), input.round, input.against), ""];
	for (const p of input.proposals) {
		lines.push(`- **#${p.number} ${inline(p.title)}** (${p.round})`);
		for (const point of pointsOf(p)) lines.push(`  - ${inline(point)}`);
		if (p.findings.length > 0) lines.push(`  - ${words.because(p.findings.map((f) => `F-${f.number} ${inline(f.title)}`))}`);
		const engine = p.engine === "person" ? null : inline(p.engine);
		lines.push(`  - ${words.by(inline(p.authors.join(", ")), engine, p.approvedBy === null ? null : inline(p.approvedBy), p.unattended)}`);
	}
	if (input.proposals.length === 0) lines.push(`- ${words.none}`);
	return `${lines.join("\n")}\n`;
}
