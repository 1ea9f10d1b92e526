import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AuthService, createAuthService, createHostPolicy } from "@/server/auth";
import type { Role } from "@/server/auth/contract";
import type { Services } from "@/server/composition";
import { createEvolutionWorld, type EvolutionWorld, landed, people, proposed, started } from "@/server/evolution/testing/evolution-world";
import { createCaller } from "../../root";

/* Through the router, with the real rights: what an admin who gives themselves another role can do, and cannot. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let world: EvolutionWorld;
let auth: AuthService;
let evolutionId: string;
const ada = { id: "", name: "Ada", email: "ada@example.com", demo: false };

const caller = () =>
	createCaller({ user: ada, services: { db: world.db, auth, evolution: world.evolution } as unknown as Services } as Parameters<typeof createCaller>[0]);
const setOwnRoles = (roles: Role[]) => auth.setRoles(world.workspaceId, ada, ada.id, roles);
const outcome = (promise: Promise<unknown>) =>
	promise.then(() => "done").catch((error: { cause?: { reason?: string }; code?: string }) => error.cause?.reason ?? error.code ?? error);

beforeAll(async () => {
	world = await createEvolutionWorld();
	auth = createAuthService(world.db, {
		secret: "test-secret-of-at-least-thirty-two-characters",
		baseUrl: "http://127.0.0.1:3999",
		port: 3999,
		hosts: createHostPolicy({ host: "127.0.0.1", port: 3999, embedded: true }),
		demoToken: null,
	});
	ada.id = (await auth.createPerson(world.workspaceId, { id: "service:system", name: "Studio" }, { ...ada, roles: ["admin"] })).userId;
	evolutionId = await started(world);
});
afterAll(() => world.close());

describe("an admin", () => {
	const input = async () => {
		const proposal = await proposed(world, evolutionId, "fix 70..72\n", ada);
		return { workspace: "test", proposalId: proposal.id, revisionId: proposal.revisions.at(-1)?.id ?? "" };
	};

	it("approves nothing as admin, and not their own edit as the reviewer that they made of themselves", async () => {
		const own = await input();
		expect(await outcome(caller().evolution.land(own))).toBe("role-forbids");
		for (const roles of [
			["admin", "reviewer"],
			["admin", "operator", "reviewer"],
			["reviewer", "admin"],
		] satisfies Role[][]) {
			await setOwnRoles(roles);
			expect(await outcome(caller().evolution.land(own))).toBe("author-rule");
		}
		expect(
			await outcome(
				caller().evolution.review({ workspace: "test", proposalId: own.proposalId, revisionId: own.revisionId, verdict: "approve" as never, body: "" }),
			),
		).not.toBe("done");
		const { status } = await world.evolution.proposal({
			workspaceId: world.workspaceId,
			proposal: own.proposalId,
			viewer: { id: people.rita.id, roles: ["reviewer"] },
		});
		expect(status).toBe("in-review");
	});

	it("stays the author of what they edited once, also out of the workspace and in again", async () => {
		const own = await input();
		await auth.createPerson(world.workspaceId, ada, { name: "Ben", email: "ben@example.com", roles: ["admin"] });
		await setOwnRoles([]);
		expect(await outcome(caller().evolution.land(own))).toBe("workspace-unknown");
		const again = await auth.createPerson(world.workspaceId, people.rita, { ...ada, roles: ["reviewer"] });
		expect(again).toEqual({ userId: ada.id, initialPassword: null });
		expect(await outcome(caller().evolution.land(own))).toBe("author-rule");
		// Somebody else can, and the change of roles stays on record.
		expect(await outcome(landed(world, { id: own.proposalId, revisions: [{ id: own.revisionId }] }, people.rita))).toBe("done");
		const audit = await world.db.auditEntry.findMany({ where: { action: "person.roles", actorId: ada.id }, select: { detail: true } });
		expect(audit.map(({ detail }) => detail)).toContainEqual({ before: ["admin"], after: ["admin", "reviewer"] });
	});
});
