import { AppError } from "@/server/kernel/errors";

export const tooLarge = (maxBytes: number) =>
	new AppError("upstream", `The tool's server sent more than ${maxBytes >> 10} KiB.`, { reason: "tool-answer-too-large" });

/** Text of a response of at most `maxBytes`. Throws `upstream` beyond. */
export async function readLimited(response: Response, maxBytes: number): Promise<string> {
	if (!response.body) return "";
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
		bytes += chunk.byteLength;
		if (bytes > maxBytes) throw tooLarge(maxBytes);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString("utf8");
}

/** What went wrong in a connection, as the policy may read it: no address, no header. */
export function connectionError(name: string, error: unknown): AppError {
	for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 6; cause = cause.cause, depth++) {
		if (cause instanceof AppError) return cause;
		if (cause.name === "TimeoutError")
			return new AppError("timeout", `The connection “${name}” did not answer in time.`, { reason: "tool-timeout", cause: error });
	}
	return new AppError("unavailable", `The connection “${name}” can't be reached.`, { reason: "connection-unreachable", params: { name }, cause: error });
}
