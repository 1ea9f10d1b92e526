import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inheritEnvironment } from "@/server/kernel/env";
import { whyNotListen } from "../running-studio";
import { BENCH_PORT, BENCH_TOKEN, pssMbOf, type StudioUnderTest } from "./studio-under-test";

/** A process and all that descend from it. */
function familyOf(pid: number): number[] {
	const parents = fs
		.readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name): [number, number][] => {
			try {
				const stat = fs.readFileSync(`/proc/${name}/stat`, "utf8");
				return [[Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])]];
			} catch {
				return [];
			}
		});
	const family = [pid];
	for (const member of family) for (const [child, parent] of parents) if (parent === member) family.push(child);
	return family;
}

async function waitFor(address: string): Promise<void> {
	for (let tries = 0; tries < 200; tries++) {
		const ready = await fetch(`${address}/sign-in`).then(
			(response) => response.ok,
			() => false,
		);
		if (ready) return;
		await sleep(100);
	}
	throw new Error("the web server did not start");
}

/**
 * Starts the built web server, opens the large run's page several times as a signed-in person, and adds up the memory of
 * web and worker (PSS, MiB). Null where there is no build.
 */
export async function measureWeb(studio: StudioUnderTest, workspaceId: string, slug: string, runId: string) {
	if (!fs.existsSync(".next/BUILD_ID") || !fs.existsSync("/proc/self/smaps_rollup")) return null;
	if ((await whyNotListen("127.0.0.1", BENCH_PORT)) !== null) return null;
	await studio.services.auth.seedDemoPeople(workspaceId);
	const address = `http://127.0.0.1:${BENCH_PORT}`;
	const args = [path.resolve("node_modules/next/dist/bin/next"), "start", "-H", "127.0.0.1", "-p", String(BENCH_PORT)];
	const web = spawn(process.execPath, args, { stdio: "ignore", env: inheritEnvironment({ NODE_ENV: "production" }) });
	try {
		await waitFor(address);
		const signIn = await fetch(`${address}/api/demo-sign-in`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: address },
			body: JSON.stringify({ token: BENCH_TOKEN, persona: "operator" }),
		});
		const cookie = signIn.headers
			.getSetCookie()
			.map((line) => line.split(";")[0])
			.join("; ");
		const times: number[] = [];
		for (let i = 0; i < 10; i++) {
			const startedAt = performance.now();
			const page = await fetch(`${address}/w/${slug}/runs/${runId}`, { headers: { cookie }, redirect: "manual" });
			await page.text();
			if (page.status !== 200) throw new Error(`the run's page answered ${page.status}`);
			times.push(performance.now() - startedAt);
		}
		const webMb = familyOf(web.pid ?? 0).reduce((sum, pid) => sum + (pssMbOf(pid) || 0), 0);
		const workerMb = pssMbOf(studio.workerPid);
		return {
			pageMs: Math.round(times.sort((a, b) => a - b)[5] ?? 0),
			webPssMb: Math.round(webMb),
			workerPssMb: Math.round(workerMb),
			pssMb: Math.round(webMb + workerMb),
		};
	} finally {
		web.kill("SIGTERM");
	}
}
