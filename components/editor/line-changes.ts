/** Lines (from 1) of `text` that `base` does not have in their place: what gets a mark beside its number. */
export function changedLines(base: string, text: string): number[] {
	const a = base.split("\n");
	const b = text.split("\n");
	let start = 0;
	while (start < a.length && start < b.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
	// Between the common ends a line counts as kept when the base has it there too (as often).
	const rest = new Map<string, number>();
	for (const line of a.slice(start, a.length - end)) rest.set(line, (rest.get(line) ?? 0) + 1);
	const changed: number[] = [];
	for (let i = start; i < b.length - end; i++) {
		const left = rest.get(b[i] as string) ?? 0;
		if (left > 0) rest.set(b[i] as string, left - 1);
		else changed.push(i + 1);
	}
	return changed;
}
