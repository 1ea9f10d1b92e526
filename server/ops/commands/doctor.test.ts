import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { answers, isWebBanner, lastStep } from "../launcher";
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
