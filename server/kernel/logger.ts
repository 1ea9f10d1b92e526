import { AsyncLocalStorage } from "node:async_hooks";
import pino from "pino";
import { env } from "./env";

const REDACTED = ["*.apiKey", "*.key", "*.password", "*.token", "*.authorization", "*.headers", "apiKey", "password", "token", "authorization"];

const sealed = new AsyncLocalStorage<true>();

/** Runs what handles texts that nobody may see: until it ends, log lines say what failed and where, never with which words. */
export const logWithoutWords = <T>(act: () => T): T => sealed.run(true, act);

/** An error's words may quote what was handled: its kind and the places in the code stay. */
function takeWords(error: Error): object {
	const { code, reason } = error as { code?: unknown; reason?: unknown };
	const places = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
	return { type: error.name, code, reason, stack: places.join("\n") };
}

function toFields(fields: Record<string, unknown>): Record<string, unknown> {
	if (!sealed.getStore()) return fields;
	return Object.fromEntries(
		Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? takeWords(value) : key === "error" ? "its words are sealed" : value]),
	);
}

/** Structured log on stderr (stdout belongs to the command line's JSON). Keys and tokens are redacted by name. */
export const logger = pino({ level: env().STUDIO_LOG_LEVEL, redact: REDACTED, base: undefined, formatters: { log: toFields } }, pino.destination(2));
