import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** `npm run check`: lint and format, types, import rules, dead code; every rule at error level. Exits 1 at the first that fails, after running all. */

const SOURCES = ["app", "components", "server", "e2e"];
const bin = (name: string) => path.resolve("node_modules/.bin", name);

function run(title: string, command: string, args: string[]): boolean {
	const startedAt = Date.now();
	const result = spawnSync(command, args, { stdio: "inherit" });
	const ok = result.status === 0;
	console.log(`${ok ? "ok  " : "FAIL"} ${title} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
	return ok;
}

function countSources(folder: string): number {
	if (!fs.existsSync(folder)) return 0;
	return fs.readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
		const full = path.join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === "generated" ? sum : sum + countSources(full);
		return sum + (/\.(ts|tsx|mjs)$/.test(entry.name) ? 1 : 0);
	}, 0);
}

/** dependency-cruiser reports success when it can read no file (a TypeScript without JS API): so its count is held against ours. */
function checkImports(): boolean {
	const result = spawnSync(
		bin("depcruise"),
		["--config", ".dependency-cruiser.cjs", "--output-type", "json", ...SOURCES.filter((folder) => fs.existsSync(folder))],
		{
			encoding: "utf8",
			maxBuffer: 1 << 28,
		},
	);
	if (!result.stdout.startsWith("{")) {
		console.error(result.stderr);
		return false;
	}
	const report = JSON.parse(result.stdout) as {
		modules: { source: string; dependencies: unknown[] }[];
		summary: { violations: { from: string; to: string; rule: { name: string } }[]; totalDependenciesCruised: number };
	};
	for (const violation of report.summary.violations) console.error(`  ${violation.rule.name}: ${violation.from} → ${violation.to}`);
	const expected = SOURCES.reduce((sum, folder) => sum + countSources(folder), 0);
	const cruised = report.modules.filter(
		(module) => /^(app|components|server|e2e)\/.*\.(ts|tsx|mjs)$/.test(module.source) && !module.source.includes("/generated/"),
	).length;
	const read = cruised >= expected && report.summary.totalDependenciesCruised > expected;
	if (!read) console.error(`  import rules: ${cruised} modules cruised, ${expected} files found, ${report.summary.totalDependenciesCruised} imports`);
	const ok = read && report.summary.violations.length === 0;
	console.log(`${ok ? "ok  " : "FAIL"} import rules (${cruised} modules)`);
	return ok;
}

const results = [
	run("lint and format", bin("biome"), ["check", "--error-on-warnings", "."]),
	run("types", bin("tsc"), ["--noEmit", "-p", "."]),
	checkImports(),
	run("dead code", bin("knip"), ["--no-progress"]),
];
process.exit(results.every(Boolean) ? 0 : 1);
