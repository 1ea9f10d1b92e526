/**
 * Messages of commits: what a person typed, then a last paragraph of trailers that only the studio writes. The last line
 * of every message is `Studio: harness/v1`, so what stands above can never be read as a trailer.
 */

const MARK = "Studio";
const MARK_VALUE = "harness/v1";
const KEY = /^[A-Za-z][A-Za-z0-9-]{0,40}$/;
const LIMITS = { subject: 200, body: 20_000, value: 500, values: 200 } as const;

export interface MessageParts {
	subject: string;
	body?: string | undefined;
	/** Key → values, e.g. `{ Proposal: ["#41"] }`. */
	trailers?: Record<string, string[]> | undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029]/g;

const oneLine = (text: string, limit: number) => text.replace(/\r\n?/g, "\n").replace(CONTROL, " ").replace(/\s+/g, " ").trim().slice(0, limit);

/** Quotes a typed line that a reader, or `git interpret-trailers`, could take for a trailer or for the end of the message. */
function defuse(line: string): string {
	if (/^\s*-{3}/.test(line)) return `> ${line}`;
	return /^\s*[A-Za-z][A-Za-z0-9-]*\s*:/.test(line) || /^\s*\(cherry picked from/i.test(line) ? `> ${line}` : line;
}

/** The full text of a commit message. */
export function composeMessage(parts: MessageParts): string {
	const subject = oneLine(parts.subject, LIMITS.subject) || "Change the harness";
	const body = (parts.body ?? "")
		.replace(/\r\n?/g, "\n")
		.replace(CONTROL, " ")
		.slice(0, LIMITS.body)
		.split("\n")
		.map((line) => defuse(line.trimEnd()))
		.join("\n")
		.trim();
	const trailers = Object.entries(parts.trailers ?? {}).flatMap(([key, values]) => {
		if (!KEY.test(key) || key.toLowerCase() === MARK.toLowerCase()) throw new RangeError(`not a trailer: ${key}`);
		return values.slice(0, LIMITS.values).map((value) => `${key}: ${oneLine(value, LIMITS.value)}`);
	});
	return `${[subject, ...(body ? [body] : []), [...trailers, `${MARK}: ${MARK_VALUE}`].join("\n")].join("\n\n")}\n`;
}

/** Takes a message apart again; trailers only where the studio's mark ends them. */
export function parseMessage(message: string): { subject: string; body: string; trailers: Record<string, string[]> } {
	const text = message.trimEnd();
	const at = text.lastIndexOf("\n\n");
	const last = at < 0 ? "" : text.slice(at + 2);
	const marked = last.split("\n").at(-1) === `${MARK}: ${MARK_VALUE}`;
	const rest = marked ? text.slice(0, at) : text;
	const end = rest.indexOf("\n");
	const trailers: Record<string, string[]> = {};
	if (marked) {
		for (const line of last.split("\n").slice(0, -1)) {
			const colon = line.indexOf(": ");
			const key = line.slice(0, colon);
			if (colon > 0 && KEY.test(key)) trailers[key] = [...(trailers[key] ?? []), line.slice(colon + 2)];
		}
	}
	return { subject: end < 0 ? rest : rest.slice(0, end), body: end < 0 ? "" : rest.slice(end).trim(), trailers };
}

/** A name and an address as a commit can hold them. */
export function identity(author: { name: string; email: string }): string {
	const clean = (text: string) =>
		oneLine(text, 200)
			.replace(/[<>]/g, "")
			.replace(/^[.,:;"'\\\s]+|[.,:;"'\\\s]+$/g, "");
	return `${clean(author.name) || "Studio"} <${clean(author.email).replace(/\s/g, "") || "studio@localhost"}>`;
}
