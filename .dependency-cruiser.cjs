/** The direction of imports, lowest tier first; see ARCHITECTURE.md. `server/ops/import-rules.test.ts` holds a fixture that each rule must catch. */
const tiers = [
	["kernel"],
	["db"],
	["workspace"],
	["auth", "jobs", "models", "sandbox"],
	["harness", "policies"],
	["agent"],
	["augmentation", "compact", "simulator"],
	["judge"],
	["evaluation"],
	["evolution"],
	["release"],
	["training"],
	["triggers"],
];
const domains = tiers.flat();
const domain = `^server/(${domains.join("|")})/`;
const ENTRY_POINTS = "^server/(composition|worker|main|cli)\\.ts$|^server/ops/";
const TEST = "\\.test\\.tsx?$|/testing/|/testing\\.ts$|vitest-global\\.ts$";

const upward = tiers.flatMap((tier, index) =>
	tier.map((name) => ({
		name: `tier-${name}`,
		comment: "A module imports strictly lower tiers. Go through a port that composition.ts wires, or a job.",
		severity: "error",
		from: { path: `^server/${name}/`, pathNot: TEST },
		to: { path: `^server/(${[...tiers.slice(index + 1).flat(), ...tier.filter((other) => other !== name), "trpc"].join("|")})/` },
	})),
);

module.exports = {
	forbidden: [
		...upward,
		{ name: "no-cycle", severity: "error", from: {}, to: { circular: true } },
		{
			name: "public-surface-only",
			comment: "Another domain is entered by its index.ts or contract.ts.",
			severity: "error",
			from: { path: "^server/([^/]+)/", pathNot: [TEST, "^server/ops/"] },
			to: { path: "^server/(?!kernel/|db/)[^/]+/", pathNot: ["^server/$1/", "^server/[^/]+/(index|contract)\\.ts$"] },
		},
		{
			name: "entry-points-use-public-surface",
			severity: "error",
			from: { path: "^server/(composition|worker|main|cli)\\.ts$" },
			to: { path: domain, pathNot: ["^server/(kernel|db)/", "/(index|contract)\\.ts$"] },
		},
		{
			name: "contract-is-client-safe",
			severity: "error",
			from: { path: "[/.]contract\\.ts$" },
			to: { path: "^server/|^node:|node_modules/(@prisma|pg)/", pathNot: ["[/.]contract\\.ts$"] },
		},
		{
			name: "domain-not-framework",
			severity: "error",
			from: { path: domain },
			to: { path: "^(app|components)/|node_modules/(next|react|react-dom|@trpc)/" },
		},
		{
			name: "domain-not-entry-point",
			severity: "error",
			from: { path: `${domain}|^server/trpc/`, pathNot: TEST },
			to: { path: ENTRY_POINTS, dependencyTypesNot: ["type-only"] },
		},
		{
			name: "ui-contract-only",
			severity: "error",
			from: { path: "^components/", pathNot: TEST },
			to: { path: "^server/", pathNot: ["[/.]contract\\.ts$", "^server/trpc/root\\.ts$"] },
		},
		{
			name: "ui-router-type-only",
			severity: "error",
			from: { path: "^components/" },
			to: { path: "^server/trpc/root\\.ts$", dependencyTypesNot: ["type-only"] },
		},
		{
			name: "app-not-internals",
			comment: "Routes load, authorise and compose: composition, trpc, auth and contracts are what they may see.",
			severity: "error",
			from: { path: "^app/" },
			to: { path: "^server/", pathNot: ["/(index|contract)\\.ts$", "^server/composition\\.ts$", "^server/trpc/", "^server/kernel/"] },
		},
		{ name: "nothing-imports-app", severity: "error", from: { pathNot: "^app/|^e2e/" }, to: { path: "^app/", pathNot: ["^app/[^/]+\\.ts$"] } },
		{
			name: "prisma-in-repositories-only",
			severity: "error",
			from: { path: "^(server|app|components)/", pathNot: ["^server/db/", "\\.repository(\\.test)?\\.ts$"] },
			to: { path: "^server/db/generated/" },
		},
		{
			name: "monaco-in-editor-only",
			severity: "error",
			from: { pathNot: "^components/editor/" },
			to: { path: "(^|node_modules/)(monaco-editor|monaco-yaml|@monaco-editor)(/|$)" },
		},
		{ name: "echarts-in-charts-only", severity: "error", from: { pathNot: "^components/charts/" }, to: { path: "(^|node_modules/)echarts(/|$)" } },
		{
			name: "provider-sdk-in-models-only",
			severity: "error",
			from: { pathNot: "^server/models/" },
			to: { path: "(^|node_modules/)(ai|@ai-sdk|openai|@anthropic-ai)(/|$)" },
		},
		{
			name: "child-process-in-harness-db-ops-only",
			severity: "error",
			from: { pathNot: ["^server/(harness|db|ops)/", "^e2e/", TEST] },
			to: { path: "^(node:)?child_process$" },
		},
		{ name: "queue-in-jobs-only", severity: "error", from: { pathNot: "^server/jobs/" }, to: { path: "(^|node_modules/)pg-boss(/|$)" } },
	],
	options: {
		tsConfig: { fileName: "tsconfig.json" },
		tsPreCompilationDeps: true,
		doNotFollow: { path: "node_modules|server/db/generated/" },
		exclude: { path: "^\\.next/" },
	},
};
