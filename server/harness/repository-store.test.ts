import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import { systemClock } from "@/server/kernel/clock";
import { GitRepository } from "./git-repository";
import { createHarnessService, type HarnessService } from "./harness-service";
import { createRepositoryStore, type RepositoryStore } from "./repository-store";
import { sampleHarness } from "./testing/sample-harness";

vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let root: string;
let harness: HarnessService;
let store: RepositoryStore;
let repository: GitRepository;
const author = { name: "Ada", email: "ada@example.com" };
const message = (subject: string) => ({ message: { subject }, author, at: new Date("2026-03-01T10:00:00Z") });
const git = (...args: string[]) => execFileSync("git", ["--git-dir", repository.directory, ...args], { encoding: "utf8" });
const looseObjects = () => Number(/^count: (\d+)/m.exec(git("count-objects", "-v"))?.[1]);

beforeAll(async () => {
	database = await createTestDatabase();
	root = fs.mkdtempSync(path.join(os.tmpdir(), "repository-store-"));
	const surroundings = { handlers: async () => [], connections: async () => [], rooms: async () => ({}) };
	harness = createHarnessService({ db: database.db, clock: systemClock, directory: root, surroundings });
	store = createRepositoryStore(database.db, root);
});
afterAll(async () => {
	await database.drop();
	fs.rmSync(root, { recursive: true, force: true });
});

describe("the store of repositories", () => {
	it("is here once a repository of this database is, and not where another machine keeps them", async () => {
		expect(await store.isHere()).toBe(false);
		await database.db.workspace.create({ data: { id: "w1", slug: "w", title: { en: "W", zh: "W" }, language: "en", measure: "rubric", categories: [] } });
		await harness.createFromFiles("w1", "agent", sampleHarness(), { subject: "Base", author });
		repository = await harness.repository("w1");
		expect(await store.isHere()).toBe(true);
		const elsewhere = path.join(root, "elsewhere");
		fs.mkdirSync(path.join(elsewhere, "harness_of_another_studio.git"), { recursive: true });
		fs.writeFileSync(path.join(elsewhere, "harness_of_another_studio.git", "HEAD"), "ref: refs/heads/main\n");
		expect(await createRepositoryStore(database.db, elsewhere).isHere()).toBe(false);
	});

	it("packs what is loose and loses nothing, also what no ref reaches, beside readers, writers and a second packing", async () => {
		const known: { commit: string; readme: string }[] = [];
		let head = await repository.requireCommit("main");
		const commit = async (n: number, isReferenced: boolean) => {
			const made = await repository.commitChanges(head, { "README.md": `text ${n}\n` }, message(`Commit ${n}`));
			known.push({ commit: made.commit, readme: `text ${n}\n` });
			if (!isReferenced) return;
			await repository.moveBranch("main", made.commit, head);
			head = made.commit;
		};
		for (let n = 0; n < 24; n++) await commit(n, n % 3 !== 0);
		const { commit: draft } = await repository.writeCommit({ "harness.yaml": "only the database names me\n" }, [], message("Draft"));
		expect(looseObjects()).toBeGreaterThan(70);
		expect(await store.pack()).toBe(0);

		const packing = Promise.all([store.pack(1), store.pack(1)]);
		let over = false;
		void packing.then(() => {
			over = true;
		});
		// A reader of its own: the service's remembers trees.
		const reader = new GitRepository(repository.directory);
		for (let n = 24; !over || n < 30; n++) {
			await commit(n, true);
			const one = known[n % known.length];
			expect((await reader.readFiles(one?.commit ?? ""))["README.md"]).toBe(one?.readme);
		}
		expect(await packing).not.toEqual([0, 0]);

		for (let round = 0; round < 2; round++) {
			await store.pack(1);
			expect(looseObjects()).toBe(0);
			const fresh = new GitRepository(repository.directory);
			const ids = [...known.map((one) => one.commit), draft];
			const found = execFileSync("git", ["--git-dir", repository.directory, "cat-file", "--batch-check=%(objecttype)"], { input: ids.join("\n") });
			expect(found.toString().trim().split("\n")).toEqual(ids.map(() => "commit"));
			for (const one of [known[0], known[1], known.at(-1)]) expect((await fresh.readFiles(one?.commit ?? ""))["README.md"]).toBe(one?.readme);
			expect(await fresh.readFiles(draft)).toEqual({ "harness.yaml": "only the database names me\n" });
			expect(await fresh.head("main")).toBe(head);
			git("fsck", "--strict", "--no-dangling");
			await commit(1_000 + round, true);
		}
	});
});
