import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { setEnvironment } from "@/server/kernel/env";
import { createAdmin } from "./commands/create-admin";
import { createWorkspace } from "./commands/import";
import { type Session, withSession } from "./session";

/* Commands as the first thing that runs on a machine: an empty database, an empty data directory. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const PASSWORD = /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/;
let database: TestDatabase;
let root: string;

beforeAll(async () => {
	database = await createTestDatabase();
	root = fs.mkdtempSync(path.join(os.tmpdir(), "commands-"));
	setEnvironment({ DATABASE_URL: database.url, STUDIO_DATA_DIR: root });
	vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterAll(async () => {
	vi.restoreAllMocks();
	await database.drop();
	fs.rmSync(root, { recursive: true, force: true });
});

const said = () => vi.mocked(process.stderr.write).mock.calls.map(([line]) => String(line));
const open = <T>(work: (session: Session) => Promise<T>) => withSession({}, work);
const admin = (email: string, reset = false) => open((session) => createAdmin(session, email, { name: "Ada", reset })) as Promise<{ document: Made }>;
interface Made {
	existed: boolean;
	password: string | null;
	workspaces?: string[];
}

describe("on an empty database", () => {
	it("an unknown workspace is refused with what to run, and nothing is made", async () => {
		await expect(open((session) => session.workspace("shop"))).rejects.toMatchObject({
			code: "not-found",
			fix: "To make it: npm run -s studio -- create-workspace shop --from-folder DIR, or --from-csv FILE.",
		});
		expect(await database.db.workspace.count()).toBe(0);
		await expect(admin("ada@example.org")).rejects.toMatchObject({ reason: "no-workspace" });
	});

	it("a name that cannot stand in an address is refused with a sentence", async () => {
		await expect(open((session) => createWorkspace(session, "My Shop", { fromFolder: "examples/live-avatar" }))).rejects.toMatchObject({
			code: "bad-input",
			message: '"My Shop" cannot name a workspace.',
			fix: expect.stringContaining("lower-case letters, digits and hyphens"),
		});
		expect(await database.db.workspace.count()).toBe(0);
	});

	it("the sample is made when it is asked for, with its base evaluation queued", async () => {
		const { slug } = await open((session) => session.workspace("live-avatar"));
		expect(slug).toBe("live-avatar");
		const runs = await database.db.run.findMany({ select: { split: true, status: true } });
		expect(runs.map((run) => run.split).sort()).toEqual(["dev", "test"]);
		await open((session) => session.workspace("live-avatar"));
		expect(await database.db.workspace.count()).toBe(1);
	});
});

describe("create-admin", () => {
	it("refuses what is no address with a sentence", async () => {
		await expect(admin("ada")).rejects.toMatchObject({ code: "bad-input", message: '"ada" is not an e-mail address.' });
	});

	it("prints a password once; run again it says that the person exists", async () => {
		const first = (await admin("ada@example.org")).document;
		expect(first).toMatchObject({ existed: false, password: expect.stringMatching(PASSWORD), workspaces: ["live-avatar"] });
		const hash = await database.db.account.findFirstOrThrow({ where: { user: { email: "ada@example.org" } }, select: { password: true } });
		expect((await admin("ada@example.org")).document).toMatchObject({ existed: true, password: null });
		expect(said().join("")).toContain("ada@example.org exists already");
		expect(await database.db.account.findFirstOrThrow({ where: { user: { email: "ada@example.org" } }, select: { password: true } })).toEqual(hash);
	});

	it("--reset makes a new password, leaves the roles, and is audited", async () => {
		await database.db.membership.updateMany({ where: { user: { email: "ada@example.org" } }, data: { roles: ["reviewer", "admin"] } });
		const before = await database.db.account.findFirstOrThrow({ where: { user: { email: "ada@example.org" } }, select: { password: true } });
		expect((await admin("Ada@example.org", true)).document).toMatchObject({ existed: true, password: expect.stringMatching(PASSWORD) });
		const after = await database.db.account.findFirstOrThrow({ where: { user: { email: "ada@example.org" } }, select: { password: true } });
		expect(after.password).not.toBe(before.password);
		expect(await database.db.membership.findFirst({ where: { user: { email: "ada@example.org" } }, select: { roles: true } })).toEqual({
			roles: ["reviewer", "admin"],
		});
		expect(await database.db.auditEntry.count({ where: { action: "person.reset-password", subject: "ada@example.org" } })).toBe(1);
		await expect(admin("nobody@example.org", true)).rejects.toMatchObject({ reason: "person-unknown" });
	});
});
