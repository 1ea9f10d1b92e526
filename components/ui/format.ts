/** Figures as people read them here: proportions × 100 with one decimal, a real minus sign, and the noise beside the value. */

const MINUS = "\u2212";

/** A proportion in [0, 1] as points: 0.8243 → "82.4". */
export function formatPoints(proportion: number, digits = 1): string {
	const text = (Math.abs(proportion) * 100).toFixed(digits);
	return proportion < 0 && Number(text) !== 0 ? `${MINUS}${text}` : text;
}

/** A difference of proportions with its sign: 0.101 → "+10.1", −0.03 → "−3.0"; what rounds to zero has no sign. */
export function formatDelta(proportion: number, digits = 1): string {
	const text = formatPoints(proportion, digits);
	return proportion > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** The ends of an interval of proportions: "7.4 … 12.8", in Chinese "7.4～12.8". */
export function formatInterval(low: number, high: number, locale: string, digits = 1): string {
	return `${formatPoints(low, digits)}${locale.startsWith("zh") ? "～" : " … "}${formatPoints(high, digits)}`;
}

/** A p value: three decimals, "< 0.001" below that. */
export function formatP(p: number): string {
	if (p < 0.001) return "< 0.001";
	return p >= 0.9995 ? "1" : p.toFixed(3).replace(/0+$/, "");
}

/** The same as a statement: "p = 0.031", "p < 0.001". */
export function formatPValue(p: number): string {
	return p < 0.001 ? "p < 0.001" : `p = ${formatP(p)}`;
}

/** Share as a percentage: "98.8 %", in Chinese "98.8%". */
export function formatShare(share: number, locale: string, digits = 1): string {
	return `${(share * 100).toFixed(digits)}${locale.startsWith("zh") ? "%" : "\u202f%"}`;
}

/** A duration in milliseconds, at the precision that matters: "143 ms", "3.94 s", "2 min 05 s", "1 h 12 min"; in Chinese "2 分 05 秒". */
export function formatDuration(ms: number, locale: string): string {
	if (!Number.isFinite(ms)) return "–";
	if (ms < 1000) return `${Math.round(ms)} ms`;
	const [h, min, s] = locale.startsWith("zh") ? ["小时", "分", "秒"] : ["h", "min", "s"];
	if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} ${s}`;
	const seconds = Math.round(ms / 1000);
	if (seconds < 3600) return `${Math.floor(seconds / 60)} ${min} ${String(seconds % 60).padStart(2, "0")} ${s}`;
	return `${Math.floor(seconds / 3600)} ${h} ${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} ${min}`;
}

/** The size of a file: "812 B", "4 kB", "13.4 MB". */
export function formatBytes(bytes: number): string {
	if (bytes < 1000) return `${bytes} B`;
	return bytes < 999_500 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Grouped by thousands: 10000 → "10,000". */
export function formatCount(count: number): string {
	return count.toLocaleString("en-US");
}

/** The first seven digits of a commit or tree id. */
export function shortId(id: string): string {
	return id.slice(0, 7);
}

/** Of the two languages that the studio reads, the one whose letters these are. */
const LATIN = /\p{Script=Latin}{2}/u;
const HAN = /\p{Script=Han}/u;

/** The language that a person's or a model's text should be set in: Chinese gets its own glyphs and line breaking. */
export function langOf(text: string): "zh-Hans" | "en" | undefined {
	if (HAN.test(text)) return "zh-Hans";
	return LATIN.test(text) ? "en" : undefined;
}
