import { defineConfig } from "@playwright/test";
import { BROWSER_ARGUMENTS, findBrowser } from "./server/ops/browser";

const port = Number(process.env.E2E_PORT ?? 3310);

export default defineConfig({
	testDir: "e2e",
	timeout: 120_000,
	expect: { timeout: 30_000 },
	// All share one studio, and what a journey changes the next one sees: each project goes one test after another.
	workers: 2,
	fullyParallel: false,
	retries: 0,
	reporter: [["list"]],
	// The loop comes first: it starts at the baseline, and what it leaves behind fills the other journeys' screens.
	projects: [
		{ name: "loop", testMatch: /whole-loop/, workers: 1 },
		// Two at once: looking at pages spends the time of one processor, the journeys mostly wait for the studio.
		// A page that a loaded machine draws too slowly is tried once more; the report names it as flaky.
		{ name: "screens", testMatch: /screens/, workers: 1, retries: 1, dependencies: ["loop"] },
		{ name: "journeys", testIgnore: /whole-loop|screens|training/, workers: 1, retries: 1, dependencies: ["loop"] },
		// Last: what a checkpoint is measured with keeps the worker busy for a while.
		{ name: "training", testMatch: /training/, workers: 1, retries: 1, dependencies: ["screens", "journeys"] },
	],
	outputDir: "test-results",
	use: {
		baseURL: `http://127.0.0.1:${port}`,
		trace: "retain-on-failure",
		viewport: { width: 1280, height: 800 },
		locale: "en-US",
		launchOptions: { executablePath: findBrowser() ?? undefined, args: BROWSER_ARGUMENTS },
	},
	webServer: {
		command: "node --import tsx server/ops/start-for-tests.ts",
		url: `http://127.0.0.1:${port}/sign-in`,
		timeout: 300_000,
		stdout: "pipe",
		reuseExistingServer: false,
		gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
		env: { PORT: String(port), STUDIO_DEMO_TOKEN: "e2e-demo-token-0123456789", STUDIO_LOG_LEVEL: "warn" },
	},
});
