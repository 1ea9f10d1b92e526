import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guardedFetch } from "./index";
import { dispatcherFor } from "./private-address";
import { startOpenAiServer, type TestServer } from "./testing/start-openai-server";

let server: TestServer;
beforeAll(async () => {
	server = await startOpenAiServer();
});
afterAll(() => server.stop());

describe("a guarded fetch", () => {
	it("reaches a private address only when allowed, judges names when they resolve, and follows no redirect", async () => {
		const url = `${server.baseUrl}/models`;
		expect((await guardedFetch(true)(url)).status).toBe(200);
		await expect(guardedFetch(false)(url)).rejects.toThrow(/private address/);
		// A name is judged by what it resolves to when the socket is opened, not only by how it is written.
		const named = await request(url.replace("127.0.0.1", "localhost"), { dispatcher: dispatcherFor(false) }).catch((error: Error) => error);
		expect(String(named)).toMatch(/private address/);
		await expect(guardedFetch(false)("http://[::1]:9/")).rejects.toThrow(/private address/);
		const redirecting = { method: "POST", body: JSON.stringify({ model: "redirect", messages: [] }) };
		await expect(guardedFetch(true)(`${server.baseUrl}/chat/completions`, redirecting)).rejects.toThrow();
	});
});
