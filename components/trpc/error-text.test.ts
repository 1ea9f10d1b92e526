import { TRPCClientError } from "@trpc/client";
import { describe, expect, it } from "vitest";
import { describeError, isSignedOut, isTransient, type Translator } from "./error-text";

const sentences: Record<string, string> = {
	internal: "inside",
	network: "no answer",
	"role-forbids": "roles {roles}",
	"base-moved": "moved",
	"path-refused": "no file: {why}",
	"too-long": "longer than {max}",
	"base-moved-fix": "evaluate again",
};
const t = Object.assign(
	(key: string, values: Record<string, string | number> = {}) => (sentences[key] ?? key).replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name])),
	{
		has: (key: string) => key in sentences,
	},
) satisfies Translator;

function failure(message: string, wire: Record<string, unknown> | null, code = "CONFLICT", httpStatus = 409) {
	const data = wire ? { code, httpStatus, wire: { reason: "x", params: {}, fix: null, data: null, fields: null, reference: null, ...wire } } : undefined;
	return TRPCClientError.from({ error: { message, code: -32000, data } } as never);
}

describe("describeError", () => {
	it.each([
		["translates reason and parameters", failure("m", { reason: "role-forbids", params: { roles: "viewer" } }), { title: "roles viewer", fix: null }],
		["translates the fix", failure("m", { reason: "base-moved", fix: "english fix" }), { title: "moved", fix: "evaluate again" }],
		[
			"translates a reason inside the reason",
			failure("m", { reason: "path-refused", params: { why: "english", whyReason: "too-long", max: 9 } }),
			{ title: "no file: longer than 9" },
		],
		[
			"keeps the English of an inner reason without a translation",
			failure("m", { reason: "path-refused", params: { why: "english", whyReason: "new-slug" } }),
			{ title: "no file: english" },
		],
		[
			"keeps the server's sentence where there is no translation",
			failure("exactly this", { reason: "new-slug", fix: "do that" }),
			{ title: "exactly this", fix: "do that" },
		],
		["names the fields of bad input", failure("bad", { reason: "unknown", fields: { title: ["too long"] } }), { title: "bad", fix: "title: too long" }],
		["gives the reference of an internal error", failure("m", { reason: "internal", reference: "err_1" }), { title: "inside", fix: null, reference: "err_1" }],
		["says that nobody answered", new TypeError("fetch failed"), { title: "no answer", fix: null }],
	])("%s", (_name, error, expected) => {
		expect(describeError(error, t)).toMatchObject(expected);
	});
});

describe("what to do about an error", () => {
	it.each([
		[failure("m", {}, "UNAUTHORIZED", 401), true, false],
		[failure("m", {}, "CONFLICT", 409), false, false],
		[failure("m", {}, "TOO_MANY_REQUESTS", 429), false, true],
		[failure("m", {}, "SERVICE_UNAVAILABLE", 503), false, true],
		[failure("m", {}, "INTERNAL_SERVER_ERROR", 500), false, false],
		[new TypeError("fetch failed"), false, true],
	])("%#", (error, signedOut, transient) => {
		expect(isSignedOut(error)).toBe(signedOut);
		expect(isTransient(error)).toBe(transient);
	});
});
