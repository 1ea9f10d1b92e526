export interface DiffRow {
	kind: "same" | "added" | "removed" | "gap";
	text: string;
	/** Line numbers in the old and the new text. */
	before: number | null;
	after: number | null;
}

const CONTEXT = 2;
/** Beyond this the middle is shown as replaced as a whole: exact still, only less fine. */
const MOST_CELLS = 4_000_000;

function commonLines(a: readonly string[], b: readonly string[]): [number, number][] {
	if (a.length * b.length > MOST_CELLS) return [];
	const width = b.length + 1;
	const table = new Uint32Array((a.length + 1) * width);
	for (let i = a.length - 1; i >= 0; i--)
		for (let j = b.length - 1; j >= 0; j--)
			table[i * width + j] =
				a[i] === b[j] ? (table[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
	const pairs: [number, number][] = [];
	for (let i = 0, j = 0; i < a.length && j < b.length; ) {
		if (a[i] === b[j]) pairs.push([i++, j++]);
		else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i++;
		else j++;
	}
	return pairs;
}

const linesOf = (text: string | null) => (text === null || text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** The lines that two texts differ in, with a little context; long unchanged stretches become gaps. Pure. */
export function diffRows(before: string | null, after: string | null): DiffRow[] {
	const [a, b] = [linesOf(before), linesOf(after)];
	let head = 0;
	while (head < a.length && head < b.length && a[head] === b[head]) head++;
	let tail = 0;
	while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
	const pairs = [
		...Array.from({ length: head }, (_, i): [number, number] => [i, i]),
		...commonLines(a.slice(head, a.length - tail), b.slice(head, b.length - tail)).map(([i, j]): [number, number] => [i + head, j + head]),
		...Array.from({ length: tail }, (_, k): [number, number] => [a.length - tail + k, b.length - tail + k]),
	];
	const rows: DiffRow[] = [];
	let [i, j] = [0, 0];
	for (const [x, y] of [...pairs, [a.length, b.length] as [number, number]]) {
		for (; i < x; i++) rows.push({ kind: "removed", text: a[i] ?? "", before: i + 1, after: null });
		for (; j < y; j++) rows.push({ kind: "added", text: b[j] ?? "", before: null, after: j + 1 });
		if (x < a.length) rows.push({ kind: "same", text: a[x] ?? "", before: x + 1, after: y + 1 });
		[i, j] = [x + 1, y + 1];
	}
	return fold(rows);
}

function fold(rows: readonly DiffRow[]): DiffRow[] {
	const near = rows.map((_, at) => rows.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((row) => row.kind !== "same"));
	const folded: DiffRow[] = [];
	let hidden = 0;
	const close = () => {
		if (hidden > 0) folded.push({ kind: "gap", text: String(hidden), before: null, after: null });
		hidden = 0;
	};
	rows.forEach((row, at) => {
		if (!near[at]) {
			hidden++;
			return;
		}
		close();
		folded.push(row);
	});
	close();
	return folded;
}
