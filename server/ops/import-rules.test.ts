import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** One small tree per rule that the rule must catch. A rule without a tree here fails the test. */
const FIXTURES: Record<string, Record<string, string>> = {
	"no-cycle": {
		"server/kernel/a.ts": 'import { b } from "./b"; export const a = () => b;',
		"server/kernel/b.ts": 'import { a } from "./a"; export const b = () => a;',
	},
	"public-surface-only": { "server/agent/run.ts": 'import "../harness/render";', "server/harness/render.ts": "export const x = 1;" },
	"entry-points-use-public-surface": { "server/worker.ts": 'import "./harness/render";', "server/harness/render.ts": "export const x = 1;" },
	"contract-is-client-safe": { "server/agent/contract.ts": 'import "./run";', "server/agent/run.ts": "export const x = 1;" },
	"domain-not-framework": { "server/agent/run.ts": 'import "react";' },
	"domain-not-entry-point": {
		"server/agent/run.ts": 'import { x } from "../composition"; export const y = x;',
		"server/composition.ts": "export const x = 1;",
	},
	"ui-contract-only": { "components/runs/table.tsx": 'import "../../server/evaluation/index";', "server/evaluation/index.ts": "export const x = 1;" },
	"ui-router-type-only": {
		"components/runs/table.tsx": 'import { x } from "../../server/trpc/root"; export const y = x;',
		"server/trpc/root.ts": "export const x = 1;",
	},
	"app-not-internals": { "app/page.tsx": 'import "../server/evaluation/run-chunk";', "server/evaluation/run-chunk.ts": "export const x = 1;" },
	"nothing-imports-app": { "components/runs/table.tsx": 'import "../../app/w/page";', "app/w/page.tsx": "export const x = 1;" },
	"prisma-in-repositories-only": { "server/agent/run.ts": 'import "../db/generated/client";', "server/db/generated/client.ts": "export const x = 1;" },
	"monaco-in-editor-only": { "components/runs/table.tsx": 'import "monaco-editor";' },
	"echarts-in-charts-only": { "components/runs/table.tsx": 'import "echarts";' },
	"provider-sdk-in-models-only": { "server/agent/run.ts": 'import "ai";' },
	"child-process-in-harness-db-ops-only": { "server/agent/run.ts": 'import "node:child_process";' },
	"queue-in-jobs-only": { "server/agent/run.ts": 'import "pg-boss";' },
};

const config = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as { forbidden: { name: string }[] };
const tierRules = config.forbidden.map((rule) => rule.name).filter((name) => name.startsWith("tier-"));

function fixtureOf(rule: string): Record<string, string> | undefined {
	if (!rule.startsWith("tier-")) return FIXTURES[rule];
	const name = rule.slice("tier-".length);
	// Every tier is below trpc.
	return { [`server/${name}/x.ts`]: 'import "../trpc/index";', "server/trpc/index.ts": "export const x = 1;" };
}

describe("import rules", () => {
	const root = path.resolve(".studio", `import-rules-${process.pid}`);
	beforeAll(() => fs.mkdirSync(root, { recursive: true }));
	afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

	it("covers every rule with a fixture", () => {
		expect(config.forbidden.map((rule) => rule.name).filter((name) => !fixtureOf(name))).toEqual([]);
		expect(tierRules.length).toBeGreaterThan(10);
	});

	it("catches each fixture by its own rule", () => {
		const missed: string[] = [];
		for (const { name } of config.forbidden) {
			const folder = path.join(root, name);
			for (const [file, text] of Object.entries(fixtureOf(name) ?? {})) {
				fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
				fs.writeFileSync(path.join(folder, file), text);
			}
			fs.writeFileSync(
				path.join(folder, "tsconfig.json"),
				JSON.stringify({ compilerOptions: { module: "esnext", moduleResolution: "bundler", allowJs: true } }),
			);
		}
		const program = `
			import { cruise } from "dependency-cruiser";
			import config from ${JSON.stringify(path.resolve(".dependency-cruiser.cjs"))};
			import fs from "node:fs";
			const caught = {};
			for (const name of fs.readdirSync(${JSON.stringify(root)})) {
				const baseDir = ${JSON.stringify(root)} + "/" + name;
				process.chdir(baseDir);
				const folders = ["app", "components", "server"].filter((folder) => fs.existsSync(folder));
				const { tsConfig, ...options } = config.options;
				const result = await cruise(folders, { ...options, baseDir, validate: true, ruleSet: { forbidden: config.forbidden } });
				caught[name] = result.output.summary.violations.map((violation) => violation.rule.name);
			}
			console.log(JSON.stringify(caught));`;
		const result = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8", cwd: path.resolve(".") });
		expect(result.stderr).toBe("");
		const caught = JSON.parse(result.stdout) as Record<string, string[]>;
		for (const { name } of config.forbidden) if (!caught[name]?.includes(name)) missed.push(`${name}: caught ${caught[name]?.join(", ") || "nothing"}`);
		expect(missed).toEqual([]);
	}, 120_000);
});
