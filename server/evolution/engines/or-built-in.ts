import { AppError } from "@/server/kernel/errors";
import type { JsonAnswer } from "@/server/models";
import type { EngineNotice, EngineResult, Reason } from "../contract";

const INFRASTRUCTURE = new Set(["upstream", "rate-limited", "timeout", "unavailable"]);

/** Why a model's answer was not used. */
export type Refusal = Pick<EngineNotice, "text"> & { reason: Reason };

/** Why an answer that askForJson gave up on cannot be used. */
export function refusalOf(engine: string, answer: Extract<JsonAnswer<unknown>, { ok: false }>): Refusal {
	const detail = answer.reason.slice(0, 200);
	if (answer.cutOff) return { text: `${engine} was cut off at its limit of tokens`, reason: { reason: "engine-cut-off", params: { engine } } };
	return { text: `${engine} gave nothing that can be used (${detail})`, reason: { reason: "engine-unusable", params: { engine, detail } } };
}

/**
 * A model's result, or the built-in engine's with a notice of why: an answer that cannot be used, or an endpoint that
 * failed. Nobody waits for an endpoint to come back. Throws whatever else `ask` throws.
 */
export async function orBuiltIn<T>(
	engine: string,
	ask: () => Promise<EngineResult<T> | Refusal>,
	builtIn: () => Promise<EngineResult<T>>,
): Promise<EngineResult<T>> {
	const answer = await ask().catch((error: unknown): EngineNotice => {
		if (!(error instanceof AppError) || !INFRASTRUCTURE.has(error.code)) throw error;
		const { reason, params, message } = error;
		return {
			text: `${engine} could not be asked: ${message}`,
			reasons: [
				{ reason: "engine-failed", params: { engine } },
				{ reason, params },
			],
		};
	});
	if ("engine" in answer) return answer;
	const result = await builtIn();
	const reasons = "reasons" in answer ? answer.reasons : [answer.reason];
	const own = result.notice ?? { text: "", reasons: [] };
	const text = `${answer.text}; the built-in engine did the work. ${own.text}`.trim();
	return { ...result, notice: { text, reasons: [...reasons, ...own.reasons] } };
}
