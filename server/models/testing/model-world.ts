import { createTestDatabase } from "@/server/db/testing";
import { setEnvironment } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import type { ChatRequest, CreateEndpoint } from "../contract";
import { createModelService } from "../index";
import { startOpenAiServer } from "./start-openai-server";

export const KEY = "sk-very-secret-key-123456";
export const admin = { id: "u1", name: "Maya" };
export const ask: ChatRequest = { system: "Be brief.", messages: [{ role: "user", content: "Say: ready" }] };
export const never = new AbortController().signal;

/** A database, an endpoint that is a process of its own, and the service between them. */
export async function createModelWorld() {
	setEnvironment({ STUDIO_SECRET: "0123456789abcdef0123456789abcdef-x", STUDIO_KEY_TEST: KEY });
	const [database, server] = await Promise.all([createTestDatabase(), startOpenAiServer()]);
	const service = createModelService(database.db);
	let count = 0;
	const settingsOf = (model: string, more: Partial<CreateEndpoint> = {}): CreateEndpoint => {
		const limits = { maxRetries: 1, timeoutMs: 1500, ...more.limits };
		return { name: `e ${++count}`, baseUrl: server.baseUrl, model, allowPrivate: true, ...more, limits };
	};
	const make = (model: string, more: Partial<CreateEndpoint> = {}) => service.createEndpoint("ws_1", admin, settingsOf(model, more));
	return {
		database,
		server,
		service,
		settingsOf,
		make,
		modelOf: async (model: string, more: Partial<CreateEndpoint> = {}) => service.provider.forEndpoint((await make(model, more)).id),
		async close() {
			server.stop();
			await service.close();
			await database.drop();
		},
	};
}
export type ModelWorld = Awaited<ReturnType<typeof createModelWorld>>;

/** The AppError that a promise fails with; what else it does is thrown. */
export async function failure(promise: Promise<unknown>): Promise<AppError> {
	const error = await promise.then(
		(value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
		(caught: unknown) => caught,
	);
	if (!(error instanceof AppError)) throw error;
	return error;
}
