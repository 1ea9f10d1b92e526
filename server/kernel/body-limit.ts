import { AppError } from "./errors";

/** Most of a request's body, in MB (2^20 bytes); `next.config.ts` cuts what is longer. */
export const MAX_BODY_MB = 64;

/** The refusal of a request that says it is longer than a body may be; null for any other. One that does not say so is cut, and then is no JSON. Pure. */
export function bodyTooLarge(headers: Headers): AppError | null {
	const bytes = Number(headers.get("content-length") ?? 0);
	if (!(bytes > MAX_BODY_MB * 2 ** 20)) return null;
	const size = Math.ceil(bytes / 2 ** 20);
	return new AppError("bad-input", `This request has ${size} MB; at most ${MAX_BODY_MB} MB are taken at once.`, {
		reason: "body-too-large",
		params: { size, limit: MAX_BODY_MB },
		fix: "Import a large table on the Cases page, which sends it in parts, or with: npm run -s studio -- import-cases FILE --workspace SLUG.",
	});
}
