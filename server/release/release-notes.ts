import { phraseOf, phrasesOf, type Written } from "@/server/kernel/phrase";
import type { Phrases } from "@/server/kernel/phrase.contract";
import { localName } from "@/server/workspace";
import { releaseWriter } from "./written-texts";

/** What the notes of a release are made of. */
export interface NoteProposal {
	number: number;
	title: string;
	summary: string;
	engine: string;
	authors: string[];
	approvedBy: string | null;
	findings: { number: number; title: string }[];
	/** Of title, summary and findings' titles, as far as no person wrote them. */
	phrases: Phrases;
	round: string;
	unattended: boolean;
}

/** Notes in Markdown, in the language that the workspace writes, and their lines for a screen in another. */
export interface ReleaseNotes {
	text: string;
	phrases: Phrases;
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

/** A quoted text: with its phrase where it has one, else as it was written. */
function quote(text: string, phrases: Phrases): Written | string {
	const phrase = phraseOf(phrases, text);
	return phrase ? { text, phrase } : text;
}

function proposalLines(p: NoteProposal, language: string): { mark: string; line: Written | string }[] {
	const write = releaseWriter(language);
	const line = releaseWriter(language, inline);
	const because = p.findings.map((f) => write("notes-finding", { number: f.number, title: quote(f.title, p.phrases) }));
	const engine = p.engine === "built-in" ? write("built-in-engine") : p.engine;
	const authors = p.authors.map(localName);
	const by = p.engine === "person" ? write("by-people", { authors }) : write("by-engine", { engine, authors });
	const approval = p.approvedBy === null ? write("approved-by-nobody") : write("approved-by", { name: localName(p.approvedBy) });
	const point = (text: string) => {
		const phrase = phraseOf(p.phrases, text);
		return phrase ? { text: inline(text), phrase } : inline(text);
	};
	return [
		{ mark: "- ", line: line("notes-proposal", { number: p.number, title: quote(p.title, p.phrases), round: p.round }) },
		...pointsOf(p).map((text) => ({ mark: "  - ", line: point(text) })),
		...(because.length > 0 ? [{ mark: "  - ", line: line("notes-because", { findings: because }) }] : []),
		{ mark: "  - ", line: line(p.unattended ? "notes-by-unattended" : "notes-by", { by, approval }) },
	];
}

/** Release notes from the manifests of what landed, oldest first. Pure. */
export function writeNotes(input: { title: string; round: string; against: string; proposals: readonly NoteProposal[]; language: string }): ReleaseNotes {
	const write = releaseWriter(input.language);
	const line = releaseWriter(input.language, inline);
	const against = input.against === "base" ? write("notes-baseline") : input.against;
	const head = line("notes-head", { title: localName(input.title), round: input.round, against });
	const landed = input.proposals.flatMap((p) => proposalLines(p, input.language));
	const body = landed.length > 0 ? landed : [{ mark: "- ", line: line("notes-none") }];
	const textOf = (written: Written | string) => (typeof written === "string" ? written : written.text);
	return {
		text: `${[head.text, "", ...body.map((item) => item.mark + textOf(item.line))].join("\n")}\n`,
		phrases: phrasesOf([head, ...body.flatMap((item) => (typeof item.line === "string" ? [] : [item.line]))]),
	};
}
