import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { answers, isWebBanner, lastStep, plainLine, supervise } from "../launcher";
import { judgeWorkers } from "./doctor";

describe("the workers of a studio", () => {
	it.each([
		["one beside the repositories", { studioRuns: true, workers: 3, keepers: 1 }, true],
		["only remote ones", { studioRuns: true, workers: 2, keepers: 0 }, false],
		["only remote ones, the web process on another machine", { studioRuns: false, workers: 2, keepers: 0 }, false],
		["none at all", { studioRuns: true, workers: 0, keepers: 0 }, false],
		["none, and no studio", { studioRuns: false, workers: 0, keepers: 0 }, true],
	])("%s", (_, seen, ok) => {
		const check = judgeWorkers(seen);
		expect(check.ok).toBe(ok);
		expect(check.fix === null).toBe(ok);
	});

	it("says what waits when nobody stands by the repositories", () => {
		expect(judgeWorkers({ studioRuns: true, workers: 2, keepers: 0 }).detail).toBe(
			"2 connected, none beside the repositories: diagnosis, edits and what follows events wait",
		);
	});
});

describe("a studio that is said to run", () => {
	it("is believed only when its port answers, with whatever status", async () => {
		const server = http.createServer((_, response) => response.writeHead(403).end());
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as AddressInfo;
		expect(await answers("127.0.0.1", port)).toBe(true);
		expect(await answers("0.0.0.0", port)).toBe(true);
		await new Promise((resolve) => server.close(resolve));
		expect(await answers("127.0.0.1", port)).toBe(false);
	});
});

describe("what the launcher passes on of the web server", () => {
	it.each([
		"   ▲ Next.js 16.4.6",
		"   - Local:        http://127.0.0.1:3000",
		"   - Network:      http://127.0.0.1:3000",
		" ✓ Starting...",
		" ✓ Ready in 812ms",
		"",
	])("not the banner: %j", (line) => expect(isWebBanner(line)).toBe(true));
	it.each([" ⨯ Error: a page failed", "Error: listen EADDRINUSE", "  - Locale: none"])("but what else it says: %j", (line) =>
		expect(isWebBanner(line)).toBe(false),
	);

	it("names the step of a build that came last", () => {
		expect(lastStep("")).toBe("starting");
		expect(lastStep("▲ Next.js 16\n\n   Creating an optimized production build ...\n")).toBe("Creating an optimized production build");
		expect(lastStep("✓ Compiled successfully in 40s\n  Running TypeScript ...\r\n")).toBe("Running TypeScript");
	});
});

describe("a supervised process", () => {
	it.each([
		['{"level":40,"time":1,"error":"timeout expired","msg":"waiting for the database"}', "worker: waiting for the database: timeout expired"],
		['{"level":50,"err":{"message":"no"},"msg":"the worker cannot run: no"}', "worker: the worker cannot run: no"],
		['{"level":40,"msg":"the database answers again"}', "worker: the database answers again"],
		["Error: listen EADDRINUSE", "Error: listen EADDRINUSE"],
		["null", "null"],
		["[1]", "[1]"],
	])("says %s in plain words", (line, shown) => expect(plainLine("worker", line)).toBe(shown));

	it("is not started again where that would be in vain, and says why", async () => {
		const why = await new Promise((resolve) =>
			supervise("mayfly", process.execPath, ["-e", ""], { onFatal: resolve, whyNotAgain: async () => "Port 3000 is in use." }),
		);
		expect(why).toBe("Port 3000 is in use.");
	});

	it("starts again with the environment of then when it is told to", async () => {
		const lines: string[] = [];
		const part = supervise("echo", process.execPath, ["-e", "console.log(process.env.STUDIO_TEST_ECHO); setInterval(() => {}, 1000)"], {
			onFatal: (message) => lines.push(message),
			hidden: (line) => lines.push(line) > 0,
		});
		await expect.poll(() => lines, { timeout: 10_000 }).toEqual(["undefined"]);
		process.env.STUDIO_TEST_ECHO = "moved";
		part.restart();
		await expect.poll(() => lines, { timeout: 10_000 }).toEqual(["undefined", "moved"]);
		delete process.env.STUDIO_TEST_ECHO;
		await part.stop();
	});
});
