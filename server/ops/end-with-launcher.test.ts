import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

const HOOK = new URL("end-with-launcher.mjs", import.meta.url).href;

it("a process that was loaded with it ends when the channel to its launcher ends", async () => {
	const child = spawn(process.execPath, ["--import", HOOK, "-e", "setInterval(() => {}, 1000); process.send('ready');"], {
		stdio: ["ignore", "ignore", "inherit", "ipc"],
	});
	await once(child, "message");
	child.disconnect();
	expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
});
