import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { AppError } from "@/server/kernel/errors";
import { createPolicyService, type PolicyMakers, type PolicyService } from "./index";

let database: TestDatabase;
let service: PolicyService;
let compact = "compact-1";
const endpoint = { name: "qwen", baseUrl: "https://x.example.org/v1", model: "m", extraBody: {}, fingerprint: "f1" };
let assigned: string | null = null;
let released: string | null = null;
const makers: PolicyMakers<string> = {
	compact: ({ name }) => `acts as ${name}`,
	checkpoint: async (id, { name }) => `acts as ${name} with ${id}`,
	endpoint: async (id, options) => `acts through ${id} ${JSON.stringify(options)}`,
};

beforeAll(async () => {
	database = await createTestDatabase();
	service = createPolicyService(database.db, {
		compactFingerprint: () => compact,
		describeEndpoint: async (_workspaceId, id) => {
			if (id !== "ep_1") throw new AppError("not-found", "There is no such endpoint.", { reason: "endpoint-unknown" });
			return endpoint;
		},
		listEndpoints: async () => [{ id: "ep_1", name: endpoint.name }],
		policyEndpoint: async () => assigned,
		releasedPolicy: async () => released,
	});
});
afterAll(() => database.drop());

async function reasonOf(promise: Promise<unknown>): Promise<string> {
	const error = await promise.then(
		() => null,
		(caught: unknown) => caught,
	);
	if (!(error instanceof AppError)) throw new Error(`expected an AppError, got ${String(error)}`);
	return error.reason;
}

it("keeps one version for what answers alike, also when many ask at once", async () => {
	const versions = await Promise.all(Array.from({ length: 6 }, () => service.ensureCompact("ws_1")));
	expect(new Set(versions.map((version) => version.id)).size).toBe(1);
	expect(versions[0]).toMatchObject({ name: "compact", kind: "compact", fingerprint: "compact-1" });
	expect((await service.ensureCompact("ws_2")).id).not.toBe(versions[0]?.id);
});

it("makes a new version when the answers change, and refuses to run the old one as if it were the same", async () => {
	const before = await service.ensureEndpoint("ws_1", "ep_1");
	expect(await service.resolve(before.id, makers)).toBe('acts through ep_1 {"name":"qwen"}');
	endpoint.model = "m2";
	endpoint.fingerprint = "f2";
	const after = await service.ensureEndpoint("ws_1", "ep_1");
	expect([before.name, before.config.model, after.name, after.config.model]).toEqual(["qwen", "m", "qwen v2", "m2"]);
	expect(await reasonOf(service.resolve(before.id, makers))).toBe("policy-changed");

	const old = await service.ensureCompact("ws_1");
	compact = "compact-2";
	expect((await service.ensureCompact("ws_1")).name).toBe("compact v2");
	expect(await reasonOf(service.resolve(old.id, makers))).toBe("policy-changed");
});

it("tells sampling settings apart", async () => {
	const warm = await service.ensureEndpoint("ws_1", "ep_1", { temperature: 0.7 });
	expect(warm.name).toBe("qwen v3");
	expect(await service.resolve(warm.id, makers)).toBe('acts through ep_1 {"name":"qwen v3","temperature":0.7}');
});

it("keeps a checkpoint as a version of its own", async () => {
	const made = { workspaceId: "ws_1", base: "hat", checkpointId: "ckpt_1", fingerprint: "weights-1" };
	const version = await service.ensureCheckpoint(made);
	expect(version).toMatchObject({ name: "hat", kind: "checkpoint", config: { checkpointId: "ckpt_1" } });
	expect((await service.ensureCheckpoint(made)).id).toBe(version.id);
	expect(await service.resolve(version.id, makers)).toBe("acts as hat with ckpt_1");
	expect((await service.ensureCheckpoint({ ...made, checkpointId: "ckpt_2", fingerprint: "weights-2" })).name).toBe("hat v2");
});

it("is found by what a person types", async () => {
	expect((await service.find("ws_1", "compact")).name).toBe("compact v2");
	expect((await service.find("ws_1", "qwen")).name).toBe("qwen v2");
	expect((await service.find("ws_1", "qwen v3")).config.temperature).toBe(0.7);
	expect(await reasonOf(service.find("ws_1", "gpt"))).toBe("policy-unknown");
	expect(await reasonOf(service.get("nothing"))).toBe("policy-unknown");
});

it("acts as the endpoint with the role, else as the embedded policy", async () => {
	expect((await service.current("ws_1")).kind).toBe("compact");
	assigned = "ep_1";
	expect((await service.current("ws_1")).name).toBe("qwen v2");
});

it("takes the checkpoint that is released for the policy in force, unless an endpoint plays that role", async () => {
	assigned = null;
	const compactVersion = await service.ensureCompact("ws_r");
	const checkpoint = await service.ensureCheckpoint({ workspaceId: "ws_r", base: "hat", checkpointId: "ckpt_1", fingerprint: "weights-1" });
	expect((await service.current("ws_r")).id).toBe(compactVersion.id);
	released = checkpoint.id;
	expect((await service.current("ws_r")).id).toBe(checkpoint.id);
	assigned = "ep_1";
	expect((await service.current("ws_r")).kind).toBe("endpoint");
	assigned = null;
	// Going back to a release with the embedded policy takes that as it is now.
	released = compactVersion.id;
	expect((await service.current("ws_r")).id).toBe(compactVersion.id);
	released = null;
});
