import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreateEndpoint } from "./contract";
import { admin, createModelWorld, failure, KEY, type ModelWorld } from "./testing/model-world";

let world: ModelWorld;
beforeAll(async () => {
	world = await createModelWorld();
});
afterAll(() => world.close());

describe("registering an endpoint", () => {
	it("never tells a key", async () => {
		const made = await world.make("ok", { key: { kind: "stored", value: KEY } });
		expect(made.key).toEqual({ kind: "stored" });
		const listed = await world.service.listEndpoints("ws_1");
		expect(JSON.stringify(listed)).not.toContain(KEY);
		expect(JSON.stringify(listed)).not.toContain("sealed");
		const row = await world.database.db.endpoint.findUniqueOrThrow({ where: { id: made.id } });
		expect(row.sealedKey).not.toContain(KEY);
		expect(JSON.stringify(await world.database.db.auditEntry.findMany())).not.toContain(KEY);
	});

	it("keeps the key while the host stays and clears it when it changes", async () => {
		const made = await world.make("ok", { key: { kind: "stored", value: KEY } });
		const { id, key: _key, roles: _roles, updatedAt: _at, ...same } = made;
		const kept = await world.service.updateEndpoint("ws_1", admin, { ...same, id, model: "other" });
		expect([kept.keyCleared, kept.endpoint.key.kind]).toEqual([false, "stored"]);
		const moved = await world.service.updateEndpoint("ws_1", admin, { ...same, id, baseUrl: "https://api.example.org/v1" });
		expect([moved.keyCleared, moved.endpoint.key.kind]).toEqual([true, "none"]);
	});

	it.each([
		["http://127.0.0.1:8000/v1", "private-address"],
		["http://localhost:8000/v1", "private-address"],
		["http://10.1.2.3/v1", "private-address"],
		["http://169.254.169.254/latest", "private-address"],
		["http://[::1]/v1", "private-address"],
		["http://[::ffff:10.0.0.1]/v1", "private-address"],
		["http://0x7f000001/v1", "private-address"],
		["http://metadata.google.internal/", "private-address"],
	])("refuses %s unless an admin allows it", async (baseUrl, reason) => {
		expect((await failure(world.service.createEndpoint("ws_1", admin, { ...world.settingsOf("ok"), baseUrl, allowPrivate: false }))).reason).toBe(reason);
	});

	it.each([
		["ftp://example.org/v1", {}],
		["https://user:pass@example.org/v1", {}],
		["not an address", {}],
		["https://example.org/v1?x=1", {}],
		["https://example.org/v1", { extraBody: { messages: [] } }],
		["https://example.org/v1", { extraBody: { stream: true } }],
		["https://example.org/v1", { key: { kind: "variable", name: "PATH" } }],
		["https://example.org/v1", { key: { kind: "stored", value: "two words" } }],
		["https://example.org/v1", { limits: { concurrency: 0 } }],
	])("refuses %s %o", async (baseUrl, more) => {
		await expect(world.service.createEndpoint("ws_1", admin, { ...world.settingsOf("ok"), ...more, baseUrl } as CreateEndpoint)).rejects.toThrow();
	});

	it("drops the path that people paste along", async () => {
		expect((await world.make("ok", { baseUrl: `${world.server.baseUrl}/chat/completions/` })).baseUrl).toBe(world.server.baseUrl);
	});

	it("gives roles to one endpoint each and keeps what plays one", async () => {
		const made = await world.make("ok");
		expect(await world.service.provider.forRole("ws_1", "diagnosis")).toBeNull();
		await world.service.assignRole("ws_1", admin, "diagnosis", made.id);
		expect((await world.service.provider.forRole("ws_1", "diagnosis"))?.describe().name).toBe(made.name);
		expect((await failure(world.service.deleteEndpoint("ws_1", admin, made.id))).reason).toBe("endpoint-in-use");
		expect((await failure(world.service.assignRole("ws_2", admin, "diagnosis", made.id))).reason).toBe("endpoint-unknown");
		await world.service.assignRole("ws_1", admin, "diagnosis", null);
		await world.service.deleteEndpoint("ws_1", admin, made.id);
		expect((await failure(world.service.provider.forEndpoint(made.id))).reason).toBe("endpoint-unknown");
	});

	it("takes a name once in a workspace", async () => {
		const made = await world.make("ok");
		expect((await failure(world.make("ok", { name: made.name }))).reason).toBe("endpoint-exists");
	});
});
