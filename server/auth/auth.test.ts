import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { AppError } from "@/server/kernel/errors";
import { logger } from "@/server/kernel/logger";
import { createHostPolicy } from "./host-policy";
import { type AuthService, type AuthSettings, createAuthService } from "./index";

const BASE = "http://127.0.0.1:3999";
const TOKEN = "a-token-of-this-start-0123456789";
const settings: AuthSettings = {
	secret: "test-secret-of-at-least-thirty-two-characters",
	baseUrl: BASE,
	port: 3999,
	hosts: createHostPolicy({ host: "127.0.0.1", port: 3999, embedded: true, demoToken: TOKEN }),
	demoToken: TOKEN,
};
const admin = { id: "demo-admin", name: "Maya Iyer" };

let database: TestDatabase;
let auth: AuthService;
let now = new Date("2026-12-01T10:00:00Z");

beforeAll(async () => {
	database = await createTestDatabase();
	auth = createAuthService(database.db, settings, { now: () => now });
	for (const [id, slug] of [
		["ws_1", "one"],
		["ws_2", "two"],
	] as const)
		await database.db.workspace.create({ data: { id, slug, title: { en: slug, zh: slug }, language: "en", measure: "rubric", categories: [] } });
	await auth.seedDemoPeople("ws_1");
});
afterAll(() => database.drop());

function post(path: string, body: unknown, headers: Record<string, string> = {}): Request {
	return new Request(`${BASE}${path}`, {
		method: "POST",
		body: JSON.stringify(body),
		headers: { "content-type": "application/json", host: "127.0.0.1:3999", origin: BASE, ...headers },
	});
}
const cookieOf = (response: Response) =>
	response.headers
		.getSetCookie()
		.map((line) => line.split(";")[0])
		.join("; ");

async function reasonOf(promise: Promise<unknown>): Promise<string> {
	const error = await promise.then(
		() => null,
		(caught: unknown) => caught,
	);
	if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${String(error)}`);
	return error.reason;
}

describe("demo people", () => {
	it("are entered with the token of this start, into a HttpOnly SameSite cookie", async () => {
		const response = await auth.handleDemoSignIn(post("/api/demo-sign-in", { token: TOKEN, persona: "reviewer" }));
		expect(response.status).toBe(200);
		const line = response.headers.getSetCookie()[0] ?? "";
		expect(line).toMatch(/HttpOnly/i);
		expect(line).toMatch(/SameSite=Lax/i);
		const session = await auth.findSession(new Headers({ cookie: cookieOf(response) }));
		expect(session?.user).toEqual({ id: "demo-reviewer", name: "周敏 Zhou Min", email: "zhou.min@demo.invalid", demo: true });
		expect(await auth.findMembership("demo-reviewer", "one")).toEqual({ id: "ws_1", slug: "one", roles: ["reviewer"] });
		expect(await auth.findMembership("demo-reviewer", "two")).toBeNull();
	});

	it("are entered again without the token by a browser that had it, until the next start", async () => {
		const first = await auth.handleDemoSignIn(post("/api/demo-sign-in", { token: TOKEN, persona: "reviewer" }));
		const line = first.headers.getSetCookie().find((one) => one.startsWith("studio-3999.demo=")) ?? "";
		expect(line).toMatch(/HttpOnly/i);
		expect(line).toMatch(/SameSite=Strict/i);
		expect(line).not.toContain(TOKEN);
		const cookie = line.split(";", 1)[0] ?? "";
		expect(auth.remembersDemo(new Headers({ cookie: `a=b; ${cookie}` }))).toBe(true);
		const again = await auth.handleDemoSignIn(post("/api/demo-sign-in", { token: "", persona: "viewer" }, { cookie }));
		expect((await auth.findSession(new Headers({ cookie: cookieOf(again) })))?.user.id).toBe("demo-viewer");

		const nextStart = createAuthService(database.db, { ...settings, demoToken: "another-token-of-a-later-start" });
		expect(nextStart.remembersDemo(new Headers({ cookie }))).toBe(false);
		expect((await nextStart.handleDemoSignIn(post("/api/demo-sign-in", { token: "", persona: "viewer" }, { cookie }))).status).toBe(401);
		expect((await auth.handleDemoSignIn(post("/api/demo-sign-in", { token: "wrong", persona: "viewer" }, { cookie }))).status).toBe(401);
	});

	it.each([
		["an empty token and no cookie", { token: "", persona: "reviewer" }, {}, 401],
		["a wrong token", { token: "wrong", persona: "reviewer" }, {}, 401],
		["an unknown persona", { token: TOKEN, persona: "owner" }, {}, 400],
		["no body", {}, {}, 400],
		["another origin", { token: TOKEN, persona: "reviewer" }, { origin: "https://evil.example" }, 403],
		["a rebound host", { token: TOKEN, persona: "reviewer" }, { host: "rebound.example:3999", origin: "http://rebound.example:3999" }, 403],
	])("are refused with %s", async (_name, body, headers, status) => {
		const response = await auth.handleDemoSignIn(post("/api/demo-sign-in", body, headers));
		expect(response.status).toBe(status);
		expect(response.headers.getSetCookie()).toEqual([]);
	});

	it("are refused without a word in the log where the body is no JSON", async () => {
		const logged = vi.spyOn(logger, "error");
		const response = await auth.handleDemoSignIn(new Request(post("/api/demo-sign-in", {}), { body: "{broken" }));
		expect(response.status).toBe(400);
		expect(logged).not.toHaveBeenCalled();
		logged.mockRestore();
	});

	it("keep the roles that an admin gave them when the next start seeds again", async () => {
		await auth.setRoles("ws_1", admin, "demo-viewer", ["viewer", "operator"]);
		await auth.seedDemoPeople("ws_1");
		expect((await auth.findMembership("demo-viewer", "one"))?.roles).toEqual(["viewer", "operator"]);
		await auth.setRoles("ws_1", admin, "demo-viewer", ["viewer"]);
	});

	it("belong to a workspace that a command makes while the studio runs, where they exist", async () => {
		await database.db.workspace.create({ data: { id: "ws_3", slug: "three", title: { en: "3", zh: "3" }, language: "en", measure: "rubric", categories: [] } });
		// The command's own process was given no token.
		const command = createAuthService(database.db, { ...settings, demoToken: null });
		await command.joinDemoPeople("ws_3");
		const response = await auth.handleDemoSignIn(post("/api/demo-sign-in", { token: TOKEN, persona: "operator" }));
		const session = await auth.findSession(new Headers({ cookie: cookieOf(response) }));
		expect((await auth.listMemberships(session?.user.id ?? "")).map((one) => one.slug)).toEqual(["one", "three"]);
		expect((await auth.findMembership("demo-reviewer", "three"))?.roles).toEqual(["reviewer"]);

		const plain = await createTestDatabase();
		await plain.db.workspace.create({ data: { id: "ws_1", slug: "one", title: { en: "1", zh: "1" }, language: "en", measure: "rubric", categories: [] } });
		await createAuthService(plain.db, { ...settings, demoToken: null }).joinDemoPeople("ws_1");
		expect(await plain.db.user.count()).toBe(0);
		await plain.drop();
	});

	it("do not exist where the start printed no token", async () => {
		const elsewhere = createAuthService(database.db, { ...settings, demoToken: null });
		expect(elsewhere.demoPersonas()).toEqual([]);
		expect((await elsewhere.handleDemoSignIn(post("/api/demo-sign-in", { token: TOKEN, persona: "admin" }))).status).toBe(404);
		expect(await reasonOf(elsewhere.seedDemoPeople("ws_1"))).toBe("demo-unavailable");
		// A cookie of an earlier start, on the same secret, is not honoured either.
		const before = await auth.handleDemoSignIn(post("/api/demo-sign-in", { token: TOKEN, persona: "admin" }));
		expect(await elsewhere.findSession(new Headers({ cookie: cookieOf(before) }))).toBeNull();
	});
});

describe("local accounts", () => {
	it("sign in with the initial password, and out", async () => {
		const { initialPassword, userId } = await auth.createPerson("ws_1", admin, { name: "Ada", email: "Ada@Example.org", roles: ["operator"] });
		expect(initialPassword).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
		const response = await auth.handle(post("/api/auth/sign-in/email", { email: "ada@example.org", password: initialPassword }));
		expect(response.status).toBe(200);
		expect(await response.clone().json()).toEqual({ ok: true });
		const headers = new Headers({ cookie: cookieOf(response) });
		const session = await auth.findSession(headers);
		expect(session?.user.id).toBe(userId);
		expect(await auth.isSessionAlive(session?.id ?? "")).toBe(true);
		const out = await auth.handle(post("/api/auth/sign-out", {}, { cookie: headers.get("cookie") ?? "" }));
		expect(out.status).toBe(200);
		expect(await auth.findSession(headers)).toBeNull();
		expect(await auth.isSessionAlive(session?.id ?? "")).toBe(false);
	});

	it("change their password, which ends every other session", async () => {
		const { initialPassword } = await auth.createPerson("ws_1", admin, { name: "Eve", email: "eve@example.org", roles: ["viewer"] });
		const signIn = async (password: string | null) => auth.handle(post("/api/auth/sign-in/email", { email: "eve@example.org", password }));
		const [here, elsewhere] = [cookieOf(await signIn(initialPassword)), cookieOf(await signIn(initialPassword))];
		const change = { currentPassword: initialPassword, newPassword: "a-new-long-password", revokeOtherSessions: true };
		const response = await auth.handle(post("/api/auth/change-password", change, { cookie: here }));
		expect([response.status, await response.clone().json()]).toEqual([200, { ok: true }]);
		expect(await auth.findSession(new Headers({ cookie: elsewhere }))).toBeNull();
		expect((await auth.findSession(new Headers({ cookie: cookieOf(response) })))?.user.name).toBe("Eve");
		expect((await signIn(initialPassword)).status).toBe(401);
		expect((await signIn("a-new-long-password")).status).toBe(200);
	});

	it("are limited by e-mail, whatever address a header claims", async () => {
		const statuses: number[] = [];
		for (let i = 0; i < 12; i++) {
			const request = post("/api/auth/sign-in/email", { email: "nobody@example.org", password: "wrong-password" }, { "x-forwarded-for": `10.0.0.${i}` });
			statuses.push((await auth.handle(request)).status);
		}
		expect(statuses.slice(0, 10).every((status) => status === 401)).toBe(true);
		expect(statuses.slice(10)).toEqual([429, 429]);
	});

	it("cannot be made by the public, and nothing else of the library is served", async () => {
		for (const path of [
			"/sign-up/email",
			"/update-user",
			"/get-session",
			"/list-sessions",
			"/demo-sign-in",
			"/admin/create-user",
			"/sign-in/email/../../sign-up/email",
		]) {
			const response = await auth.handle(
				post(`/api/auth${path}`, { email: "x@example.org", password: "long-enough-password", name: "X", token: TOKEN, persona: "admin" }),
			);
			expect([404, 400]).toContain(response.status);
		}
		expect(await database.db.user.count({ where: { email: "x@example.org" } })).toBe(0);
	});

	it("are refused from another origin", async () => {
		const response = await auth.handle(post("/api/auth/sign-in/email", { email: "a@b.c", password: "x" }, { origin: "https://evil.example" }));
		expect(response.status).toBe(403);
	});

	it("lose their sessions when disabled, and cannot come back", async () => {
		const { userId, initialPassword } = await auth.createPerson("ws_1", admin, { name: "Bo", email: "bo@example.org", roles: ["viewer"] });
		const credentials = { email: "bo@example.org", password: initialPassword };
		const cookie = cookieOf(await auth.handle(post("/api/auth/sign-in/email", credentials)));
		const session = await auth.findSession(new Headers({ cookie }));
		await auth.setDisabled("ws_1", admin, userId, true);
		expect(await auth.isSessionAlive(session?.id ?? "")).toBe(false);
		expect(await auth.findMembership(userId, "one")).toBeNull();
		expect((await auth.handle(post("/api/auth/sign-in/email", credentials))).status).toBe(403);
		await auth.setDisabled("ws_1", admin, userId, false);
		expect((await auth.handle(post("/api/auth/sign-in/email", credentials))).status).toBe(200);
	});
});

describe("people", () => {
	it("keep one admin", async () => {
		expect(await reasonOf(auth.setRoles("ws_1", admin, "demo-admin", ["viewer"]))).toBe("last-admin");
		const { userId } = await auth.createPerson("ws_1", admin, { name: "Cy", email: "cy@example.org", roles: ["admin"] });
		await auth.setRoles("ws_1", admin, "demo-admin", ["viewer"]);
		expect(await reasonOf(auth.setRoles("ws_1", { id: userId, name: "Cy" }, userId, []))).toBe("last-admin");
		await auth.setRoles("ws_1", { id: userId, name: "Cy" }, "demo-admin", ["admin"]);
		await auth.setRoles("ws_1", admin, userId, []);
	});

	it("who belong to the workspace are not added again: that would set their roles unchecked", async () => {
		const [self] = (await auth.listPeople("ws_1", admin.id)).filter((person) => person.id === admin.id);
		const again = { name: "Someone", email: self?.email ?? "", roles: ["viewer" as const] };
		expect(await reasonOf(auth.createPerson("ws_1", admin, again))).toBe("person-member");
		expect((await auth.findMembership(admin.id, "one"))?.roles).toContain("admin");
		expect(await database.db.auditEntry.count({ where: { action: "person.add", subject: again.email } })).toBe(0);
		// From the command line the machine is the authority: a member becomes an admin and keeps their roles.
		const { userId } = await auth.createPerson("ws_1", admin, { name: "Fay", email: "fay@example.org", roles: ["reviewer"] });
		expect(await auth.createFirstAdmin("ws_1", { name: "Fay", email: "Fay@example.org" })).toEqual({ userId, initialPassword: null });
		expect((await auth.findMembership(userId, "one"))?.roles.sort()).toEqual(["admin", "reviewer"]);
		const entry = await database.db.auditEntry.findFirstOrThrow({ where: { action: "person.roles", subject: "fay@example.org" } });
		expect(entry.detail).toEqual({ before: ["reviewer"], after: ["reviewer", "admin"] });
		await auth.setRoles("ws_1", admin, userId, []);
	});

	it("of a workspace that the admin does not manage keep their password and account", async () => {
		const { userId } = await auth.createPerson("ws_1", admin, { name: "Di", email: "di@example.org", roles: ["viewer"] });
		await auth.addMember("ws_2", userId, ["reviewer"]);
		expect(await reasonOf(auth.resetPassword("ws_1", admin, userId))).toBe("person-not-manageable");
		expect(await reasonOf(auth.setDisabled("ws_1", admin, userId, true))).toBe("person-not-manageable");
		expect(await reasonOf(auth.resetPassword("ws_1", admin, "nobody"))).toBe("person-unknown");
	});

	it("are audited, and the audit log can't be changed", async () => {
		const entries = await database.db.auditEntry.findMany({ where: { action: { startsWith: "person." } } });
		expect(entries.length).toBeGreaterThan(3);
		expect(JSON.stringify(entries)).not.toMatch(/[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/);
		await expect(database.db.auditEntry.deleteMany()).rejects.toThrow(/append-only/);
		await expect(database.db.auditEntry.updateMany({ data: { reason: "x" } })).rejects.toThrow(/append-only/);
		await expect(database.db.$executeRawUnsafe('TRUNCATE "AuditEntry"')).rejects.toThrow(/append-only/);
	});
});

describe("tokens of machines", () => {
	it("are hashed at rest, scoped, expiring and revocable", async () => {
		const { id, token } = await auth.createToken("ws_1", admin, { name: "prod", scopes: ["release.read"], expiresInDays: 2 });
		const stored = await database.db.apiToken.findUniqueOrThrow({ where: { id } });
		expect(JSON.stringify(stored)).not.toContain(token);
		expect(await auth.verifyToken(`Bearer ${token}`, "release.read")).toEqual({ tokenId: id, workspaceId: "ws_1", name: "prod" });
		expect(await reasonOf(auth.verifyToken(`Bearer ${token}`, "trigger.call:trg_1"))).toBe("token-scope");
		expect(await reasonOf(auth.verifyToken(`Bearer ${token}x`, "release.read"))).toBe("token-invalid");
		expect(await reasonOf(auth.verifyToken(null, "release.read"))).toBe("token-invalid");
		now = new Date(now.getTime() + 3 * 86_400_000);
		expect(await reasonOf(auth.verifyToken(`Bearer ${token}`, "release.read"))).toBe("token-invalid");
		const second = await auth.createToken("ws_1", admin, { name: "ci", scopes: ["trigger.call:trg_1"] });
		await auth.revokeToken("ws_1", admin, second.id);
		expect(await reasonOf(auth.verifyToken(`Bearer ${second.token}`, "trigger.call:trg_1"))).toBe("token-invalid");
		expect(await reasonOf(auth.revokeToken("ws_2", admin, id))).toBe("token-unknown");
		expect((await auth.listTokens("ws_1")).map((row) => [row.name, row.createdBy])).toEqual([
			["ci", "Maya Iyer"],
			["prod", "Maya Iyer"],
		]);
	});
});
