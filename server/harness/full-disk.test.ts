import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { GitRepository } from "./git-repository";
import { sampleHarness } from "./testing/sample-harness";

/* A real disk that is full: a tmpfs of one megabyte, where this machine lets us mount one. */

const root = fs.mkdtempSync(path.join(os.tmpdir(), "full-disk-"));
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", root]).status === 0;
afterAll(() => {
	if (isMounted) spawnSync("umount", [root]);
	fs.rmSync(root, { recursive: true, force: true });
});

function fill(): void {
	const file = fs.openSync(path.join(root, "filler"), "w");
	try {
		for (;;) fs.writeSync(file, Buffer.alloc(4096));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
	} finally {
		fs.closeSync(file);
	}
}

describe.skipIf(!isMounted)("a full disk (needs the right to mount a tmpfs)", () => {
	it("is named, moves nothing, and what was refused can be done once there is room", async () => {
		const repository = new GitRepository(path.join(root, "a.git"));
		await repository.create();
		const input = { message: { subject: "First" }, author: { name: "Ada", email: "ada@example.com" }, at: new Date("2026-03-01T10:00:00Z") };
		const { commit } = await repository.writeCommit(sampleHarness(), [], input);
		await repository.moveBranch("main", commit, null);
		const next = await repository.commitChanges(commit, { "README.md": "next\n" }, input);
		fill();
		const attempts = {
			commit: () => repository.commitChanges(commit, { "README.md": "more\n".repeat(2_000) }, input),
			branch: () => repository.moveBranch("other", commit, null),
			main: () => repository.moveBranch("main", next.commit, commit),
			tag: () => repository.tag("v1", commit, input),
			repository: () => new GitRepository(path.join(root, "b.git")).create(),
		};
		for (const [name, attempt] of Object.entries(attempts))
			await expect(attempt(), name).rejects.toSatisfy((error: { code?: string; reason?: string }) => error.code === "ENOSPC" || error.reason === "disk-full");
		expect(await repository.head("main")).toBe(commit);
		expect(await repository.head("other")).toBeNull();
		fs.rmSync(path.join(root, "filler"));
		for (const attempt of Object.values(attempts)) await attempt();
		expect(await repository.head("main")).toBe(next.commit);
		expect(await repository.resolve("v1")).toBe(commit);
	});
});
