import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { DEFAULT_ENVELOPE, narrowEnvelope } from "./envelope";
import { createEnvelopeService } from "./envelope-service";

const actor = { id: "u1", name: "Test" };
let database: TestDatabase;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("the envelope of a workspace", () => {
	it("begins with the default; each change is a version with its reason, in the audit log", async () => {
		const service = createEnvelopeService(database.db);
		expect(await service.current("w1")).toMatchObject({ version: 0, content: DEFAULT_ENVELOPE });
		const envelope = narrowEnvelope(DEFAULT_ENVELOPE, ["tools"]);
		expect(await service.save("w1", { seenVersion: 0, envelope, reason: "tools only" }, actor)).toMatchObject({ version: 1, content: envelope });
		expect((await service.list("w1")).map((one) => [one.version, one.reason])).toEqual([
			[1, "tools only"],
			[0, ""],
		]);
		expect(await service.current("w2")).toMatchObject({ version: 0 });
		const [entry] = await database.db.auditEntry.findMany({ where: { workspaceId: "w1", action: "envelope.save" } });
		expect(entry).toMatchObject({ subject: "envelope v1", reason: "tools only", actorId: "u1" });
	});
	it("refuses impossible ranges and a version that somebody else has replaced, also when two save at once", async () => {
		const service = createEnvelopeService(database.db);
		const bad = structuredClone(DEFAULT_ENVELOPE);
		bad.tools.rename.strength = { min: 2, max: 1 };
		await expect(service.save("w3", { seenVersion: 0, envelope: bad, reason: "x" }, actor)).rejects.toMatchObject({ reason: "envelope-impossible" });
		const saves = await Promise.allSettled([0, 1].map(() => service.save("w3", { seenVersion: 0, envelope: DEFAULT_ENVELOPE, reason: "x" }, actor)));
		expect(saves.map((save) => save.status).sort()).toEqual(["fulfilled", "rejected"]);
		expect(saves.find((save) => save.status === "rejected")).toMatchObject({ reason: { reason: "envelope-changed" } });
	});
});
