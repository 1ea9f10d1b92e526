import fs from "node:fs";
import path from "node:path";
import { TRPCError } from "@trpc/server";
import { describe, expect, it } from "vitest";
import { isAllowed, type Permission, permissions, type Role } from "@/server/auth/contract";
import type { Services } from "@/server/composition";
import { AppError } from "@/server/kernel/errors";
import { createCallerFactory, router, sessionProcedure, type TrpcContext, workspaceProcedure } from "./init";
import { appRouter, createCaller } from "./root";

/*
 * Every procedure × every role, nobody and a stranger. Each is called with no valid input and with services that throw a
 * marker when touched, so an answer other than a refusal shows that the permission was passed; nothing is ever changed.
 */

const ROLES: Role[] = ["operator", "reviewer", "viewer", "admin"];
const user = { id: "u1", name: "U", email: "u@example.org", demo: false };

const untouchable = new Proxy(() => undefined, {
	get: (_target, key) => (key === "then" ? undefined : untouchable),
	apply: () => {
		throw new Error("reached the services");
	},
}) as never;

function servicesFor(roles: Role[] | null): Services {
	const auth = new Proxy({} as Services["auth"], {
		get: (_target, key) => (key === "findMembership" ? async () => (roles ? { id: "ws_1", slug: "w", roles } : null) : untouchable),
	});
	return new Proxy({} as Services, { get: (_target, key) => (key === "auth" ? auth : untouchable) });
}

type Procedures = Record<string, { _def: { meta?: { permission?: Permission }; type: string } }>;
const procedures = Object.entries((appRouter as unknown as { _def: { procedures: Procedures } })._def.procedures);

/** `refused`, or `passed` when the caller got beyond the permission (input refused, services reached, or an answer). */
async function outcome(name: string, context: TrpcContext, input: unknown): Promise<string> {
	const call = name.split(".").reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], createCaller(context)) as (
		input: unknown,
	) => Promise<unknown>;
	try {
		const result = await call(input);
		// A stream is asked for its first event: its permission must hold before anything comes out.
		if (typeof result === "object" && result !== null && Symbol.asyncIterator in result)
			await (result as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
		return "passed";
	} catch (error) {
		const code = error instanceof TRPCError ? error.code : "INTERNAL_SERVER_ERROR";
		return code === "FORBIDDEN" || code === "UNAUTHORIZED" ? code : code === "NOT_FOUND" && !servicesKnow(context) ? code : "passed";
	}
}
const known = new WeakSet<Services>();
const servicesKnow = (context: TrpcContext) => known.has(context.services);

describe("the permission table", () => {
	it("has procedures to check", () => {
		expect(procedures.length).toBeGreaterThan(5);
	});

	it("never lets an admin approve or release", () => {
		for (const permission of ["review.decide", "round.close", "release.create", "release.rollback"] as const)
			expect(isAllowed(permission, ["admin"])).toBe(false);
	});

	describe.each(procedures)("%s", (name, procedure) => {
		const permission = procedure._def.meta?.permission as Permission;

		it("names an entry of the table", () => {
			expect(Object.keys(permissions)).toContain(permission);
		});

		it("refuses nobody before it looks at any input", async () => {
			const context = { user: null, services: servicesFor(null) };
			for (const input of [undefined, { workspace: "w" }, { workspace: 7 }]) {
				const expected = permission === "public" ? "passed" : "UNAUTHORIZED";
				expect(await outcome(name, context, input)).toBe(expected);
			}
		});

		if (permission !== "public" && permission !== "session") {
			it("looks like nothing to a person of another workspace", async () => {
				expect(await outcome(name, { user, services: servicesFor(null) }, { workspace: "w" })).toBe("NOT_FOUND");
			});

			it.each(ROLES)("answers %s as the table says", async (role) => {
				const services = servicesFor([role]);
				known.add(services);
				const expected = isAllowed(permission, [role]) ? "passed" : "FORBIDDEN";
				expect(await outcome(name, { user, services }, { workspace: "w" })).toBe(expected);
			});

			it("needs no more than one of several roles", async () => {
				const services = servicesFor(ROLES);
				known.add(services);
				expect(await outcome(name, { user, services }, { workspace: "w" })).toBe("passed");
			});
		}
	});
});

describe("streams", () => {
	let roles: Role[] = ["viewer"];
	let alive = true;
	const context = {
		user,
		services: { auth: { findMembership: async () => ({ id: "ws_1", slug: "w", roles }) } } as unknown as Services,
		isSessionAlive: async () => alive,
	};
	const caller = createCallerFactory(
		router({
			ticks: workspaceProcedure("workspace.read").subscription(async function* () {
				for (let i = 0; ; i++) yield i;
			}),
			mine: sessionProcedure.subscription(async function* () {
				for (let i = 0; ; i++) yield i;
			}),
			broken: workspaceProcedure("workspace.read").subscription(async function* () {
				yield 1;
				throw new AppError("conflict", "It moved.", { reason: "moved" });
			}),
		}),
	)(context);

	it("end when the role goes away between two events", async () => {
		const stream = (await caller.ticks({ workspace: "w" }))[Symbol.asyncIterator]();
		expect((await stream.next()).value).toBe(0);
		roles = [];
		await expect(stream.next()).rejects.toMatchObject({ code: "FORBIDDEN" });
		roles = ["viewer"];
	});

	it("end when the session goes away between two events", async () => {
		const workspace = (await caller.ticks({ workspace: "w" }))[Symbol.asyncIterator]();
		const session = (await caller.mine())[Symbol.asyncIterator]();
		expect((await workspace.next()).value).toBe(0);
		expect((await session.next()).value).toBe(0);
		alive = false;
		await expect(workspace.next()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
		await expect(session.next()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
		alive = true;
	});

	it("carry domain errors as the transport's", async () => {
		const stream = (await caller.broken({ workspace: "w" }))[Symbol.asyncIterator]();
		await stream.next();
		await expect(stream.next()).rejects.toMatchObject({ code: "CONFLICT", message: "It moved." });
	});
});

describe("routes", () => {
	const files: string[] = [];
	const walk = (folder: string) => {
		for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
			const full = path.join(folder, entry.name);
			if (entry.isDirectory()) walk(full);
			else if (/^route\.tsx?$/.test(entry.name)) files.push(full);
		}
	};
	walk(path.resolve("app"));

	it.each(files.map((file) => [path.relative(process.cwd(), file), file]))("%s says its permission", (_name, file) => {
		const source = fs.readFileSync(file, "utf8");
		const permission = /^export const permission = "([^"]+)"/m.exec(source)?.[1];
		expect([...Object.keys(permissions), "per-procedure", "token"]).toContain(permission);
	});
});
