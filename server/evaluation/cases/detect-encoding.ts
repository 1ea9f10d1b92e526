import chardet from "chardet";
import iconv from "iconv-lite";
import { AppError } from "@/server/kernel/errors";

/** What a file of another kind begins with; the longer of two that begin alike stands first. */
const MAGIC: readonly (readonly [kind: string, bytes: string])[] = [
	["ZIP / XLSX", "504b0304"],
	["ZIP / XLSX", "504b0506"],
	["XLS", "d0cf11e0a1b11ae1"],
	["PNG", "89504e470d0a1a0a"],
	["JPEG", "ffd8ff"],
	["GIF", "474946383761"],
	["GIF", "474946383961"],
	["PDF", "255044462d"],
	["GZIP", "1f8b08"],
	["ZSTD", "28b52ffd"],
	["XZ", "fd377a585a00"],
	["7Z", "377abcaf271c"],
	["RAR", "526172211a07"],
	["Parquet", "50415231"],
	["SQLite", "53514c69746520666f726d6174203300"],
	["ELF", "7f454c46"],
];

/** Of the characters of a text: more control characters than this and it is none. A lone one spoils a row, and its row says so. */
const MAX_CONTROLS = 0.05;
/** The same for an encoding that was guessed, for all that no text has. */
const MAX_FOREIGN = 0.05;
/** A file of a guessed encoding has at least the letters that made it no UTF-8, and their words. */
const MIN_LETTERS = 0.1;

const CONTROL = /(?![\t\n\r\f])\p{Cc}/gu;
/** Control, unassigned, private and half characters, and what stands for bytes that are not valid. */
const FOREIGN = /(?![\t\n\r\f])[\p{Cc}\p{Cn}\p{Co}\p{Cs}\uFFFD]/gu;

export interface DetectedEncoding {
	encoding: string;
	/** Whether it is by statistics: neither asked for, nor marked, nor UTF-8. */
	guessed: boolean;
}

function isUtf8(sample: Buffer): boolean {
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true });
		return true;
	} catch {
		return false;
	}
}

/** Whether bytes above ASCII come in pairs only, as in GB 2312: in a Western alphabet they mostly stand alone. */
function isPairedHighBytes(sample: Buffer): boolean {
	const runs = sample.toString("latin1").match(/[\x80-\xff]+/gu) ?? [];
	return runs.length > 0 && runs.every((run, i) => (run.length % 2 === 0 || i === runs.length - 1) && /^[\xa1-\xff]+$/u.test(run));
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const share = (text: string, pattern: RegExp): number => count(text, pattern) / Math.max(1, text.length);

const looksLikeText = (text: string): boolean =>
	share(text, FOREIGN) <= MAX_FOREIGN && count(text, /\p{L}/gu) >= MIN_LETTERS * Math.max(1, count(text, /\S/gu));

/**
 * UTF-16 that has no byte order mark. Pairs of ASCII bytes are Chinese in it, so that a look at the letters is not enough: its
 * separators and line ends stand beside a NUL, which in no other text many of them do. (Some letters have such a byte too.)
 */
function unmarkedUtf16(sample: Buffer): "utf-16le" | "utf-16be" | null {
	if (!sample.includes(0)) return null;
	const separators = /[\n,\t]/g;
	const needed = 0.2 * Math.max(1, count(sample.toString("latin1"), separators));
	const even = sample.subarray(0, sample.length & ~1);
	return (
		(["utf-16le", "utf-16be"] as const).find((encoding) => {
			const text = iconv.decode(even, encoding);
			return count(text, separators) >= needed && looksLikeText(text);
		}) ?? null
	);
}

function guessEncoding(sample: Buffer): string {
	const guess = chardet.detect(sample);
	// A few characters are too little for the statistics of a guess, and are taken for a Western alphabet.
	if ((guess === null || /^(?:ISO-8859|windows)-/u.test(guess)) && isPairedHighBytes(sample)) return "gb18030";
	return guess && iconv.encodingExists(guess) ? guess.toLowerCase() : "windows-1252";
}

function chooseEncoding(sample: Buffer, asked: string): DetectedEncoding {
	if (asked !== "auto") {
		if (!iconv.encodingExists(asked))
			throw new AppError("bad-input", `There is no encoding "${asked}".`, {
				reason: "import-encoding-unknown",
				params: { encoding: asked },
				fix: "Use utf-8, gb18030, big5, shift_jis, windows-1252 or utf-16le.",
			});
		return { encoding: asked, guessed: false };
	}
	if (sample[0] === 0xff && sample[1] === 0xfe) return { encoding: "utf-16le", guessed: false };
	if (sample[0] === 0xfe && sample[1] === 0xff) return { encoding: "utf-16be", guessed: false };
	const wide = unmarkedUtf16(sample);
	if (wide) return { encoding: wide, guessed: true };
	return isUtf8(sample) ? { encoding: "utf-8", guessed: false } : { encoding: guessEncoding(sample), guessed: true };
}

/**
 * The encoding of a table's first bytes: as asked, by byte order mark, UTF-8 when they are valid UTF-8, else a guess that says
 * so. Throws AppError `bad-input` for an encoding that does not exist, and for what is no text in any reading: a file of another
 * kind under a table's name would be taken row by row for nonsense.
 */
export function detectEncoding(sample: Buffer, asked: string, name: string): DetectedEncoding {
	const kind = MAGIC.find(([, bytes]) => sample.subarray(0, bytes.length / 2).toString("hex") === bytes)?.[0];
	if (kind)
		throw new AppError("bad-input", `${name} is a file of kind ${kind}, whatever its name says; CSV or JSON lines are read.`, {
			reason: "import-not-a-table",
			params: { name, kind },
			fix: "Open it in the program that made it and save it as CSV (UTF-8) or JSON lines.",
		});
	const detected = chooseEncoding(sample, asked);
	const text = iconv.decode(sample, detected.encoding);
	if (detected.guessed ? looksLikeText(text) : share(text, CONTROL) <= MAX_CONTROLS) return detected;
	throw new AppError("bad-input", `${name} is no text: read as ${detected.encoding}, it holds many characters that no text has.`, {
		reason: "import-not-text",
		params: { name, encoding: detected.encoding },
		fix: "Save it as CSV (UTF-8) or JSON lines. If it is text in another encoding, choose that encoding.",
	});
}
