import { TRPCClientError } from "@trpc/client";
import type { WireError } from "./wire";

/** What a person reads of an error. */
export interface ErrorText {
	title: string;
	/** What to do next. */
	fix: string | null;
	reference: string | null;
	reason: string;
}

function isWire(value: unknown): value is WireError {
	return typeof value === "object" && value !== null && "reason" in value && typeof value.reason === "string";
}

/** The error as the server sent it; null when the request never got an answer from our procedures. */
export function wireOf(error: unknown): WireError | null {
	if (!(error instanceof TRPCClientError)) return null;
	const data: unknown = error.data;
	if (typeof data !== "object" || data === null || !("wire" in data)) return null;
	return isWire(data.wire) ? data.wire : null;
}

/** Whether the person has to sign in (again). */
export function isSignedOut(error: unknown): boolean {
	return error instanceof TRPCClientError && (error.data as { code?: string } | null)?.code === "UNAUTHORIZED";
}

/** Whether asking again may help: no answer, an overload, a fault of the server; never a refusal. */
export function isTransient(error: unknown): boolean {
	if (!(error instanceof TRPCClientError)) return true;
	const status = (error.data as { httpStatus?: number } | null)?.httpStatus;
	return status === undefined || status === 408 || status === 429 || status >= 502;
}

export interface Translator {
	(key: string, values?: Record<string, string | number>): string;
	has: (key: string) => boolean;
}

/**
 * The sentence of `errors.<reason>`. A value that is a sentence itself comes twice: as `why`, in English, and with its own
 * slug as `whyReason`, which is said first where there is a translation.
 */
export function sayReason(t: Translator, reason: string, params: Record<string, string | number>): string {
	const { whyReason } = params;
	return t(reason, typeof whyReason === "string" && t.has(whyReason) ? { ...params, why: t(whyReason, params) } : params);
}

/**
 * Translates by `errors.<reason>` (a sentence) and `errors.<reason>-fix` where there is one. Without a translation the server's
 * own English sentence and fix are shown: a person is better served by a foreign sentence than by a vague one.
 */
export function describeError(error: unknown, t: Translator): ErrorText {
	const wire = wireOf(error);
	if (!wire) {
		const key = error instanceof TRPCClientError && error.data ? "internal" : "network";
		return { title: t(key), fix: null, reference: null, reason: key };
	}
	const message = error instanceof Error ? error.message : "";
	const translated = t.has(wire.reason) ? sayReason(t, wire.reason, wire.params) : message || t("internal");
	const fixKey = `${wire.reason}-fix`;
	const fields = wire.fields ? Object.entries(wire.fields).flatMap(([name, problems]) => problems.map((problem) => `${name}: ${problem}`)) : [];
	return {
		title: translated,
		fix: t.has(fixKey) ? t(fixKey, wire.params) : (wire.fix ?? (fields.join("; ") || null)),
		reference: wire.reference,
		reason: wire.reason,
	};
}
