import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AuthService, createAuthService, createHostPolicy } from "@/server/auth";
import type { Services } from "@/server/composition";
import { createDatabase } from "@/server/db/client";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { AppError } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { createHttpContext } from "./context";
import { publicProcedure, router, sessionProcedure } from "./init";

const BASE = "http://127.0.0.1:3998";
const TOKEN = "a-token-of-this-start-0123456789";
let database: TestDatabase;
let auth: AuthService;
let changed = 0;

const testRouter = router({
	full: publicProcedure.query(() => {
		throw Object.assign(new Error("could not extend file"), { code: "53100" });
	}),
	git: publicProcedure.query(() => {
		throw new AppError("internal", "The repository could not do this.", { reason: "git-failed", fix: "Try again.", cause: new Error("git said so") });
	}),
	look: publicProcedure.query(() => "seen"),
	who: sessionProcedure.query(({ ctx }) => ctx.user.name),
	change: publicProcedure.mutation(() => ++changed),
	ticks: publicProcedure.subscription(async function* () {
		yield 1;
	}),
});

beforeAll(async () => {
	database = await createTestDatabase();
	auth = createAuthService(database.db, {
		secret: "test-secret-of-at-least-thirty-two-characters",
		baseUrl: BASE,
		port: 3998,
		hosts: createHostPolicy({ host: "127.0.0.1", port: 3998, embedded: true, demoToken: TOKEN }),
		demoToken: TOKEN,
	});
	await database.db.workspace.create({ data: { id: "ws_1", slug: "w", title: { en: "W", zh: "W" }, language: "en", measure: "rubric", categories: [] } });
	await auth.seedDemoPeople("ws_1");
});
afterAll(() => database.drop());

function call(procedure: string, init: { method: "GET" | "POST"; headers: Record<string, string> }): Promise<Response> {
	const request = new Request(`${BASE}/api/trpc/${procedure}`, {
		method: init.method,
		headers: { "content-type": "application/json", ...init.headers },
		...(init.method === "POST" ? { body: "{}" } : {}),
	});
	const services = { auth } as unknown as Services;
	return fetchRequestHandler({ endpoint: "/api/trpc", req: request, router: testRouter, createContext: () => createHttpContext(services, request) });
}

const host = "127.0.0.1:3998";

it.each([
	["says that it is too long", "{}", { "content-length": String(140 * 2 ** 20) }, 413, "body-too-large", { size: 140, limit: 64 }],
	["was cut", '{"json": "aaaa', {}, 400, "parse-error", { limit: 64 }],
])("a body that %s is refused in the studio's own words", async (_name, body, extra, status, reason, params) => {
	const headers = { "content-type": "application/json", host, origin: BASE, ...extra };
	const request = new Request(`${BASE}/api/trpc/change`, { method: "POST", headers, body });
	const services = { auth } as unknown as Services;
	const createContext = () => createHttpContext(services, request);
	const response = await fetchRequestHandler({ endpoint: "/api/trpc", req: request, router: testRouter, createContext });
	const { error } = (await response.json()) as { error: { json: { message: string; data: { wire: unknown } } } };
	expect([response.status, error.json.data.wire]).toMatchObject([status, { reason, params }]);
	expect(error.json.message).toContain("64 MB");
	expect(error.json.message).not.toMatch(/unexpected|token|unterminated/i);
});

describe("over HTTP", () => {
	it.each([
		["look", "GET", { host }, 200],
		["look", "GET", { host, "sec-fetch-site": "cross-site" }, 403],
		["look", "GET", { host: "rebound.example:3998" }, 403],
		["look", "GET", {}, 403],
		["ticks", "GET", { host, accept: "text/event-stream" }, 200],
		["change", "POST", { host, origin: BASE }, 200],
		["change", "POST", { host }, 403],
		["change", "POST", { host, origin: "https://evil.example" }, 403],
		["change", "POST", { host, origin: "null" }, 403],
		["change", "GET", { host }, 405],
	] as [string, "GET" | "POST", Record<string, string>, number][])("%s by %s with %o → %i", async (procedure, method, headers, status) => {
		const before = changed;
		const response = await call(procedure, { method, headers });
		expect(response.status).toBe(status);
		await response.text();
		expect(changed - before).toBe(status === 200 && procedure === "change" ? 1 : 0);
	});

	it("a stream for another site carries the refusal and no event", async () => {
		const response = await call("ticks", { method: "GET", headers: { host, origin: "https://evil.example", accept: "text/event-stream" } });
		const text = await response.text();
		expect(text).toContain("origin-refused");
		expect(text).not.toMatch(/^data: \{"json":1\}/m);
		const own = await (await call("ticks", { method: "GET", headers: { host, accept: "text/event-stream" } })).text();
		expect(own).toMatch(/^data: \{"json":1\}/m);
	});

	it("what failed inside on purpose keeps its sentence, and its cause is logged under the reference that it carries", async () => {
		const logged = vi.spyOn(logger, "error").mockReturnValue(undefined);
		const response = await call("git", { method: "GET", headers: { host } });
		const { error } = (await response.json()) as { error: { json: { message: string; data: { wire: { reference: string } } } } };
		expect([response.status, error.json]).toMatchObject([
			500,
			{ message: "The repository could not do this.", data: { wire: { reason: "git-failed", fix: "Try again." } } },
		]);
		expect(JSON.stringify(error)).not.toContain("git said so");
		expect(logged.mock.calls).toMatchObject([[{ reference: error.json.data.wire.reference, err: { cause: new Error("git said so") } }, "internal error"]]);
		logged.mockRestore();
	});

	it("the session's person is known, and nobody is not", async () => {
		expect((await call("who", { method: "GET", headers: { host } })).status).toBe(401);
		expect((await call("who", { method: "GET", headers: { host, cookie: "studio-3998.session_token=forged.value" } })).status).toBe(401);
		const entered = await auth.handleDemoSignIn(
			new Request(`${BASE}/api/demo-sign-in`, {
				method: "POST",
				headers: { host, origin: BASE, "content-type": "application/json" },
				body: JSON.stringify({ token: TOKEN, persona: "viewer" }),
			}),
		);
		const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
		const response = await call("who", { method: "GET", headers: { host, cookie } });
		expect(await response.json()).toMatchObject({ result: { data: { json: "Daniel Okafor" } } });
	});
});

describe("while the database is away", () => {
	// Nothing listens on port 1.
	const away = createAuthService(createDatabase("postgresql://postgres:x@127.0.0.1:1/studio", 1), {
		secret: "test-secret-of-at-least-thirty-two-characters",
		baseUrl: BASE,
		port: 3998,
		hosts: createHostPolicy({ host: "127.0.0.1", port: 3998, embedded: true, demoToken: TOKEN }),
		demoToken: TOKEN,
	});
	const entering = (service: AuthService) => {
		const headers = { host, origin: BASE, "content-type": "application/json" };
		return service.handleDemoSignIn(
			new Request(`${BASE}/api/demo-sign-in`, { method: "POST", headers, body: JSON.stringify({ token: TOKEN, persona: "operator" }) }),
		);
	};

	it("a person with a session gets 503 and the reason, not a bug of ours", async () => {
		const entered = await entering(auth);
		const cookie = entered.headers.getSetCookie().map((line) => line.split(";")[0]);
		const request = new Request(`${BASE}/api/trpc/who`, { headers: { host, cookie: cookie.join("; ") } });
		const services = { auth: away } as unknown as Services;
		const response = await fetchRequestHandler({
			endpoint: "/api/trpc",
			req: request,
			router: testRouter,
			createContext: () => createHttpContext(services, request),
		});
		expect(response.status).toBe(503);
		expect(await response.text()).toContain("database-unavailable");
	});

	it("signing in answers 503 with the reason", async () => {
		const response = await entering(away);
		expect(response.status).toBe(503);
		expect(await response.json()).toMatchObject({ code: "database-unavailable" });
	});

	it("a full disk is named", async () => {
		const response = await call("full", { method: "GET", headers: { host } });
		expect(response.status).toBe(503);
		expect(await response.text()).toContain("disk-full");
	});
});
