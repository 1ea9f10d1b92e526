import type { FileDiff, HarnessFiles, LineChange } from "./contract";

/** Files that differ between two sets, by path, with counts of added and removed lines. */
export function diffFiles(before: HarnessFiles, after: HarnessFiles): FileDiff[] {
	const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort((a, b) => (a < b ? -1 : 1));
	return paths.flatMap((path): FileDiff[] => {
		const [old, now] = [before[path] ?? null, after[path] ?? null];
		if (old === now) return [];
		const counts = countLines(diffLines(old ?? "", now ?? ""));
		return [{ path, status: old === null ? "added" : now === null ? "deleted" : "modified", before: old, after: now, ...counts }];
	});
}

function countLines(changes: readonly LineChange[]): { added: number; removed: number } {
	let added = 0;
	let removed = 0;
	for (const change of changes) {
		if (change.kind === "added") added++;
		if (change.kind === "removed") removed++;
	}
	return { added, removed };
}

function linesOf(text: string): string[] {
	if (text === "") return [];
	return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** Beyond this many differing lines the smallest diff is not looked for: everything between is removed and added. */
const MAX_EDITS = 1_000;

/** A smallest line diff (Myers 1986, "An O(ND) Difference Algorithm", with the common ends cut off first). */
export function diffLines(before: string, after: string): LineChange[] {
	const a = linesOf(before);
	const b = linesOf(after);
	let start = 0;
	while (start < a.length && start < b.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
	const middle = myers(a.slice(start, a.length - end), b.slice(start, b.length - end));
	const same = (text: string): LineChange => ({ kind: "same", text });
	return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

function myers(a: readonly string[], b: readonly string[]): LineChange[] {
	const trace: Int32Array[] = [];
	const max = Math.min(a.length + b.length, MAX_EDITS);
	const size = 2 * max + 3;
	const at = max + 1;
	const v = new Int32Array(size);
	for (let d = 0; d <= max; d++) {
		trace.push(v.slice());
		for (let k = -d; k <= d; k += 2) {
			const down = k === -d || (k !== d && (v[at + k - 1] as number) < (v[at + k + 1] as number));
			let x = down ? (v[at + k + 1] as number) : (v[at + k - 1] as number) + 1;
			let y = x - k;
			while (x < a.length && y < b.length && a[x] === b[y]) {
				x++;
				y++;
			}
			v[at + k] = x;
			if (x >= a.length && y >= b.length) return backtrack(a, b, trace, d, at);
		}
	}
	return [...a.map((text): LineChange => ({ kind: "removed", text })), ...b.map((text): LineChange => ({ kind: "added", text }))];
}

function backtrack(a: readonly string[], b: readonly string[], trace: readonly Int32Array[], edits: number, at: number): LineChange[] {
	const changes: LineChange[] = [];
	let [x, y] = [a.length, b.length];
	for (let d = edits; d > 0; d--) {
		const v = trace[d] as Int32Array;
		const k = x - y;
		const down = k === -d || (k !== d && (v[at + k - 1] as number) < (v[at + k + 1] as number));
		const previousK = down ? k + 1 : k - 1;
		const previousX = v[at + previousK] as number;
		const previousY = previousX - previousK;
		while (x > previousX && y > previousY) {
			changes.push({ kind: "same", text: a[x - 1] as string });
			x--;
			y--;
		}
		changes.push(down ? { kind: "added", text: b[previousY] as string } : { kind: "removed", text: a[previousX] as string });
		[x, y] = [previousX, previousY];
	}
	while (x > 0) {
		changes.push({ kind: "same", text: a[x - 1] as string });
		x--;
	}
	return changes.reverse();
}
