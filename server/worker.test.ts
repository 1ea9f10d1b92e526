import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { createTestDatabase } from "@/server/db/testing";
import { inheritEnvironment } from "@/server/kernel/env";

/** A way to the database that first lets one connection through, then breaks some, as a machine under load does. */
async function openUnsteadyWay(url: string, broken: number) {
	const { hostname, port } = new URL(url);
	let opened = 0;
	const way = net.createServer((near) => {
		near.on("error", () => undefined);
		opened++;
		if (opened > 1 && opened <= 1 + broken) return near.destroy();
		const far = net.connect(Number(port), hostname).on("error", () => near.destroy());
		near.on("close", () => far.destroy());
		far.on("close", () => near.destroy());
		return near.pipe(far).pipe(near);
	});
	await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
	return { way, url: Object.assign(new URL(url), { port: String((way.address() as net.AddressInfo).port) }).href };
}

it("a worker whose first connections break connects again instead of ending", { timeout: 120_000 }, async () => {
	const database = await createTestDatabase();
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "studio-worker-"));
	const { way, url } = await openUnsteadyWay(database.url, 3);
	const worker = spawn(process.execPath, ["--import", "tsx", "server/worker.ts"], {
		stdio: ["ignore", "ignore", "pipe"],
		env: inheritEnvironment({ DATABASE_URL: url, STUDIO_DATA_DIR: folder, STUDIO_LOG_LEVEL: "info" }),
	});
	const said: string[] = [];
	createInterface({ input: worker.stderr }).on("line", (line) => said.push((JSON.parse(line) as { msg: string }).msg));
	const ended = once(worker, "exit");
	try {
		await expect.poll(() => said, { timeout: 60_000 }).toContain("worker ready");
		expect(said).toContain("the database does not answer yet; connecting again");
	} finally {
		worker.kill("SIGTERM");
		await ended;
		way.close();
		await database.drop();
		fs.rmSync(folder, { recursive: true, force: true });
	}
});
