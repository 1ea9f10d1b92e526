import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

/* The command line as a script sees it: a process, its exit code, and one JSON document on stdout. */

function studio(...args: string[]) {
	const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "server/cli.ts", ...args], { encoding: "utf8" });
	return { status, stdout, stderr };
}

describe("bad use of the command line", { timeout: 60_000 }, () => {
	it.each([
		["an unknown command", ["nonsense"], "unknown command 'nonsense'"],
		["a required option that is missing", ["evaluate"], "required option '--workspace <slug>' not specified"],
		["a number out of its bounds", ["evaluate", "--workspace", "x", "--trials", "-3"], "--trials: a whole number from 1 to 20"],
		["a number that is none", ["loop", "--workspace", "x", "--rounds", "2.5"], "--rounds: a whole number from 1 to 10"],
	])("is one JSON error on stdout, one sentence on stderr and exit code 2: %s", (_name, args, message) => {
		const { status, stdout, stderr } = studio(...args, "--json");
		expect(status).toBe(2);
		expect(JSON.parse(stdout)).toEqual({ error: { code: "bad-input", reason: "bad-options", message, fix: expect.stringContaining("--help"), data: null } });
		expect(stderr.split(message)).toHaveLength(2);
	});

	it.each(["train", "hat-ablation", "harness-edit-test", "retrain-advice", "triggers", "advantages"])("is what the help of %s keeps one from", (command) => {
		const { status, stdout } = studio(command, "--help");
		expect(status).toBe(0);
		for (const title of ["Options:", "Prints under --json:", "Takes:", "Cancel:", "Resume:"]) expect(stdout).toContain(title);
	});

	it("is not a question for help", () => {
		expect(studio("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("import-cases") });
	});
});
