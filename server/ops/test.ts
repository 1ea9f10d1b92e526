import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { env, inheritEnvironment } from "@/server/kernel/env";
import { findBrowser } from "./browser";

/**
 * `npm test`: lint, types, import rules, dead code, unit and integration tests, production build, browser tests. Ends with
 * one line, `N passed, N failed`, counted from the runners' own reports.
 */

const bin = (name: string) => path.resolve("node_modules/.bin", name);
const reports = fs.mkdtempSync(path.join(os.tmpdir(), "studio-reports-"));
let passed = 0;
let failed = 0;
let skipped = 0;

function step(title: string, command: string, args: string[], extra: Record<string, string> = {}): boolean {
	console.log(`\n== ${title}`);
	const startedAt = Date.now();
	const result = spawnSync(command, args, { stdio: "inherit", env: inheritEnvironment(extra) });
	console.log(`== ${title}: exit ${result.status} after ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
	return result.status === 0;
}

function readReport<T>(file: string): T | null {
	try {
		return JSON.parse(fs.readFileSync(file, "utf8")) as T;
	} catch {
		return null;
	}
}

/** A runner that failed without a failed test (a crash, a broken set-up) counts as one failure. */
function count(ok: boolean, numbers: { passed: number; failed: number; skipped: number } | null) {
	passed += numbers?.passed ?? 0;
	failed += numbers?.failed ?? 0;
	skipped += numbers?.skipped ?? 0;
	if (!ok && !numbers?.failed) failed += 1;
	if (ok && numbers && numbers.passed === 0) failed += 1;
}

if (step("check", process.execPath, ["--import", "tsx", "server/ops/check.ts"])) passed += 1;
else failed += 1;

const unitReport = path.join(reports, "unit.json");
const unitOk = step("unit and integration tests", bin("vitest"), ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`]);
const unit = readReport<{ numPassedTests: number; numFailedTests: number; numPendingTests: number; numFailedTestSuites: number }>(unitReport);
count(unitOk, unit && { passed: unit.numPassedTests, failed: unit.numFailedTests, skipped: unit.numPendingTests });

const built = step("production build", process.execPath, ["--import", "tsx", "server/ops/build.ts"]);
if (built) passed += 1;
else failed += 1;

if (!findBrowser()) {
	console.log("\n== browser tests SKIPPED: no Chromium here and none could be installed. Install the package `chromium`, or set CHROMIUM to its path.");
	skipped += 1;
	if (env().CI) failed += 1;
} else if (built) {
	const browserReport = path.join(reports, "browser.json");
	const browserOk = step("browser tests", bin("playwright"), ["test", "--reporter=list,json"], { PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport });
	const browser = readReport<{ stats: { expected: number; unexpected: number; skipped: number; flaky: number } }>(browserReport);
	count(browserOk, browser && { passed: browser.stats.expected + browser.stats.flaky, failed: browser.stats.unexpected, skipped: browser.stats.skipped });
}

fs.rmSync(reports, { recursive: true, force: true });
if (skipped > 0) console.log(`\n${skipped} skipped: see the reasons above.`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
