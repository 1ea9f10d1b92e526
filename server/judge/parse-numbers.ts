import { LRUCache } from "lru-cache";

/** A number as it is said in a text. */
export interface SaidNumber {
	value: number;
	raw: string;
	start: number;
	end: number;
	/** What follows it, where that is a unit: `元`, `折`, `%`, `天`, `:` (a time). */
	unit: string;
	/** Written in Chinese numerals. */
	chinese: boolean;
}

const DIGITS: Record<string, number> = { 零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 俩: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 };
const UNITS: Record<string, number> = { 十: 10, 百: 100, 千: 1000 };
const BIG: Record<string, number> = { 万: 10_000, 亿: 100_000_000 };
const CHINESE = "[零〇一二两俩三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+(?![十百千]))?";
const ARABIC = "(?<![\\d,])\\d{1,3}(?:,\\d{3})+(?!,?\\d)(?:\\.\\d+)?|\\d+(?:\\.\\d+)?";
/** Units that make a Chinese numeral a quantity; without one it is usually part of a word (一起, 十分). */
const MEASURE =
	"块钱?|元|角|分钱|毛|折|成|件|个月|个|支|瓶|盒|袋|包|片|套|双|条|张|台|只|份|箱|罐|颗|粒|本|把|杯|斤|公斤|千克|克|毫升|升|米|厘米|公分|毫米|天|日|号|月|周|年|岁|小时|分钟|秒|点半?|次|倍|级|码|位|人|步|种|款|层|档|期|度|瓦|寸|英寸|工作日";
const UNIT = new RegExp(`^\\s*(?:%|${MEASURE}|[a-zA-Z]{1,4}(?![a-zA-Z])|:)`, "u");
const MEASURED = new RegExp(`^(?:${MEASURE})`, "u");

/** Value of a Chinese numeral: 九十九, 一百二 (120), 两千零五, 三点五, 二〇二六; null when it is none. */
export function parseChineseNumeral(text: string): number | null {
	const [whole = "", fraction] = text.split("点");
	if (whole === "") return null;
	let value: number;
	if ([...whole].every((char) => char in DIGITS)) {
		if ([...whole].length > 1 && /[两俩]/u.test(whole)) return null;
		value = Number([...whole].map((char) => DIGITS[char]).join(""));
	} else {
		let sum = 0;
		let section = 0;
		let digit = -1;
		let lastUnit = 1;
		for (const char of whole) {
			if (char in DIGITS) {
				if (char === "零" || char === "〇") lastUnit = 10;
				digit = DIGITS[char] as number;
			} else if (char in UNITS) {
				const unit = UNITS[char] as number;
				section += (digit < 0 ? 1 : digit) * unit;
				lastUnit = unit;
				digit = -1;
			} else {
				const big = BIG[char] as number;
				sum += (section + Math.max(0, digit)) * big;
				if (section === 0 && digit < 0) return null;
				section = 0;
				lastUnit = big;
				digit = -1;
			}
		}
		// 一百二 is 120, 一万五 is 15,000; after a zero the digit stands for itself.
		value = sum + section + (digit > 0 ? digit * (lastUnit >= 100 && !/[零〇].$/u.test(whole) ? lastUnit / 10 : 1) : 0);
	}
	if (fraction === undefined) return value;
	return Number(`${value}.${[...fraction].map((char) => DIGITS[char]).join("")}`);
}

function readUnit(rest: string): string {
	return UNIT.exec(rest)?.[0].trim() ?? "";
}

function readChinese(raw: string, rest: string, before: string): number | null {
	if (/[第统唯万千百同]$/u.test(before)) return null;
	if (!MEASURED.test(rest) && [...raw].length < 2) return null;
	// 一 before a measure word is an article more often than a quantity, and so says nothing that could be wrong.
	if (raw === "一" && !/^(?:块|元|折|天|小时|个月|年|周|点)/u.test(rest)) return null;
	if (!MEASURED.test(rest) && !/[十百千万亿]/u.test(raw)) return null;
	if (/^(?:万一|千万|十分|百分|一一|三三两两|千千万万|一百分)$/u.test(raw)) return null;
	if (raw === "十" && /^分(?!钟|钱)/u.test(rest)) return null;
	return parseChineseNumeral(raw);
}

/** Tool results and rules come back episode after episode, and are read for numbers each time. Some megabytes at most. */
const known = new LRUCache<string, readonly SaidNumber[]>({ maxSize: 1_000_000, sizeCalculation: (_read, text) => text.length + 1 });

/** All numbers that a text states, full width and Chinese forms included. Offsets refer to `plainNumbers` of the text. */
export function parseNumbers(text: string): readonly SaidNumber[] {
	const before = known.get(text);
	if (before) return before;
	const read = readNumbers(text);
	known.set(text, read);
	return read;
}

/** 五十九一支 is 59 for one of them, and not 591. */
const PRICE_OF_ONE = new RegExp(`([十百千零〇块][一二三四五六七八九])(?=一(?:${MEASURE}))`, "gu");

/**
 * The text as numbers are read from it, once or again the same: NFKC, but a full-width comma separates and never groups, and
 * a number ends where the next one begins.
 */
export const plainNumbers = (text: string): string => text.replaceAll("，", "、").normalize("NFKC").replace(PRICE_OF_ONE, "$1 ");

function readNumbers(input: string): SaidNumber[] {
	const text = plainNumbers(input);
	const found: SaidNumber[] = [];
	const pattern = new RegExp(`百分之(${CHINESE}|${ARABIC})|(${ARABIC})(万|千|亿)?|(${CHINESE})|半(?=个?(?:小时|天|年|月|价))`, "gu");
	for (const match of text.matchAll(pattern)) {
		const start = match.index;
		let end = start + match[0].length;
		const rest = text.slice(end);
		const before = text.slice(Math.max(0, start - 1), start);
		let value: number | null;
		let unit = readUnit(rest);
		let chinese = false;
		if (match[1] !== undefined) {
			value = /\d/u.test(match[1]) ? Number(match[1].replace(/,/gu, "")) : parseChineseNumeral(match[1]);
			unit = "%";
			chinese = !/\d/u.test(match[1]);
		} else if (match[2] !== undefined) {
			value = Number(match[2].replace(/,/gu, "")) * (match[3] === "万" ? 10_000 : match[3] === "千" ? 1000 : match[3] === "亿" ? 100_000_000 : 1);
		} else if (match[4] !== undefined) {
			let raw = match[4];
			// 八点 is a time, 三点五 a decimal; 点 at the end was not taken.
			if (/^.*点$/u.test(raw)) raw = raw.slice(0, -1);
			value = readChinese(raw, rest, before);
			chinese = true;
		} else {
			value = 0.5;
			unit = readUnit(rest.replace(/^个/u, ""));
			chinese = true;
		}
		if (value === null) continue;
		end = start + match[0].length;
		found.push({ value, raw: match[0], start, end, unit, chinese });
	}
	return found;
}

/** The text with every Chinese quantity in digits, so that 四十八小时 and 48小时 are one string. */
export function digitsOf(input: string): string {
	const text = plainNumbers(input);
	let out = "";
	let at = 0;
	for (const said of parseNumbers(text)) {
		if (!said.chinese || said.raw === "半" || said.raw.startsWith("百分之")) continue;
		out += text.slice(at, said.start) + String(said.value);
		at = said.end;
	}
	out += text.slice(at);
	return out.replace(
		/百分之([零〇一二两三四五六七八九十百]+(?:点[零〇一二三四五六七八九]+)?|\d+(?:\.\d+)?)/gu,
		(_all, part: string) => `${/\d/u.test(part) ? part : (parseChineseNumeral(part) ?? part)}%`,
	);
}
