/** A thing with a number that a person may mean. */
export interface Jump {
	key: "review" | "finding" | "run";
	number: string;
	path: [string, string];
}

/** "#41", "F-118", "R-221" (or "41") as the thing of that number; every page takes its number in its address. */
export function parseReference(text: string): Jump[] {
	const match = /^(#|f-?|r-?)?\s*0*([1-9]\d{0,8})$/i.exec(text.trim());
	if (!match?.[2]) return [];
	const number = match[2];
	const all: Jump[] = [
		{ key: "review", number: `#${number}`, path: ["reviews", number] },
		{ key: "finding", number: `F-${number}`, path: ["findings", number] },
		{ key: "run", number: `R-${number}`, path: ["runs", number] },
	];
	const kind = (match[1] ?? "").toLowerCase().charAt(0);
	return all.filter(
		(item) => kind === "" || (kind === "#" && item.key === "review") || (kind === "f" && item.key === "finding") || (kind === "r" && item.key === "run"),
	);
}
