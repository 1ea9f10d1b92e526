import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { admin, createModelWorld, failure, KEY, type ModelWorld } from "./testing/model-world";

let world: ModelWorld;
beforeAll(async () => {
	world = await createModelWorld();
});
afterAll(() => world.close());

describe("connections of tools", () => {
	it("keep their headers sealed, and lose them with their host", async () => {
		const made = await world.service.createConnection("ws_1", admin, {
			name: "shop",
			kind: "http",
			url: "https://shop.example.org/api",
			headers: { authorization: KEY },
		});
		expect(made).toMatchObject({ name: "shop", hasHeaders: true });
		expect(JSON.stringify(await world.service.listConnections("ws_1"))).not.toContain(KEY);
		expect((await world.service.openConnection("ws_1", "shop")).headers).toEqual({ authorization: KEY });
		const base = { id: made.id, name: "shop", kind: "http" as const, headers: null };
		const same = await world.service.updateConnection("ws_1", admin, { ...base, url: "https://shop.example.org/v2" });
		expect([same.headersCleared, same.connection.hasHeaders]).toEqual([false, true]);
		const moved = await world.service.updateConnection("ws_1", admin, { ...base, url: "https://elsewhere.example.org" });
		expect([moved.headersCleared, moved.connection.hasHeaders]).toEqual([true, false]);
		expect((await failure(world.service.openConnection("ws_1", "nothing"))).reason).toBe("connection-unknown");
		await world.service.deleteConnection("ws_1", admin, made.id);
		expect(JSON.stringify(await world.database.db.auditEntry.findMany())).not.toContain(KEY);
	});

	it("refuse private addresses, header injection and bad names", async () => {
		const make = (more: object) => world.service.createConnection("ws_1", admin, { name: "x", kind: "mcp", url: "https://x.example.org", ...more });
		expect((await failure(make({ url: "http://192.168.0.1" }))).reason).toBe("private-address");
		await expect(make({ headers: { "x\r\ny": "1" } })).rejects.toThrow();
		await expect(make({ headers: { x: "1\r\nhost: y" } })).rejects.toThrow();
		await expect(make({ name: "../x" })).rejects.toThrow();
	});
});
