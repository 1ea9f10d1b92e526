/** A cell that no spreadsheet runs as a formula: those that begin with = + - @ (or a tab or return) get a leading apostrophe. */
export function safeCell(value: unknown): string {
	const text =
		value === null || value === undefined
			? ""
			: value instanceof Date
				? value.toISOString()
				: typeof value === "object"
					? JSON.stringify(value)
					: String(value);
	const harmless = typeof value === "number" || typeof value === "bigint" || !/^[=+\-@\t\r]/.test(text) ? text : `'${text}`;
	return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A CSV document (RFC 4180, with a byte order mark, so that spreadsheets read it as UTF-8) of rows under a head. */
export function toCsv(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
	return `\uFEFF${[head, ...rows].map((row) => row.map(safeCell).join(",")).join("\r\n")}\r\n`;
}
