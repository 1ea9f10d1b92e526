import type { Phrase } from "@/server/kernel/phrase.contract";
import type { Problem } from "./contract";
import type { ProblemRule } from "./problem-texts";

/** Character offsets, end exclusive. */
export type Range = readonly [start: number, end: number];

export interface ProblemInput {
	rule: ProblemRule;
	/** Both by `messageOf`: a problem without a translation does not compile. */
	message: string;
	phrase: Phrase;
	severity?: Problem["severity"];
	fix?: Problem["fix"];
}

/** One file's text with the way from offsets to lines and columns (both from 1; columns in UTF-16 units, as editors count). */
export class Source {
	readonly file: string;
	readonly text: string;
	private readonly lineStarts: number[] = [0];

	constructor(file: string, text: string) {
		this.file = file;
		this.text = text;
		for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) this.lineStarts.push(i + 1);
	}

	position(offset: number): { line: number; column: number } {
		const at = Math.max(0, Math.min(offset, this.text.length));
		let low = 0;
		let high = this.lineStarts.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.lineStarts[middle] as number) <= at) low = middle;
			else high = middle - 1;
		}
		return { line: low + 1, column: at - (this.lineStarts[low] as number) + 1 };
	}

	/** Offset of a line and column, both from 1. */
	offsetAt(line: number, column: number): number {
		return Math.min(this.text.length, (this.lineStarts[line - 1] ?? this.text.length) + column - 1);
	}

	/** A problem of this file; without a range it stands at the file's first character. Severity is `error` unless said. */
	problem(input: ProblemInput, range: Range = [0, 0]): Problem {
		const start = this.position(range[0]);
		const end = this.position(Math.max(range[0], range[1]));
		return {
			file: this.file,
			line: start.line,
			column: start.column,
			endLine: end.line,
			endColumn: end.column,
			rule: input.rule,
			message: input.message,
			phrase: input.phrase,
			severity: input.severity ?? "error",
			...(input.fix ? { fix: input.fix } : {}),
		};
	}
}
