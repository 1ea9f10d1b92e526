/**
 * One CSV field. A text that begins with = + - @ or a control character would run as a formula in a spreadsheet, so it gets
 * a leading apostrophe; numbers keep their sign.
 */
export function csvField(value: string | number | boolean | null | undefined): string {
	if (value === null || value === undefined) return "";
	if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
	const text = String(value);
	const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
	return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as RFC 4180 with a BOM, so that a spreadsheet reads Chinese as UTF-8. */
export function toCsv(header: readonly string[], rows: readonly (readonly (string | number | boolean | null | undefined)[])[]): string {
	return `\ufeff${[header, ...rows].map((row) => row.map(csvField).join(",")).join("\r\n")}\r\n`;
}

/** Hands a text to the browser as a file. */
export function downloadText(name: string, type: string, text: string): void {
	downloadBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

export function downloadBlob(name: string, blob: Blob): void {
	const url = URL.createObjectURL(blob);
	const link = document.createElement("a");
	link.href = url;
	link.download = name;
	link.click();
	// The click has handed the URL over; a revoke in the same task would race with the download in Safari.
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
