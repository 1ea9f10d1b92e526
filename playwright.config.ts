import { defineConfig } from "@playwright/test";
import { BROWSER_ARGUMENTS, findBrowser } from "./server/ops/browser";

const port = Number(process.env.E2E_PORT ?? 3310);

export default defineConfig({
	testDir: "e2e",
	timeout: 120_000,
	expect: { timeout: 30_000 },
	// The journeys share one studio: its database is the product's own, so they run one after another.
	workers: 1,
	fullyParallel: false,
	retries: 0,
	reporter: [["list"]],
	// The loop comes first: it starts at the baseline, and what it leaves behind fills the other journeys' screens.
	projects: [
		{ name: "loop", testMatch: /whole-loop/ },
		// A page that a loaded machine draws too slowly is tried once more; the report names it as flaky.
		{ name: "rest", testIgnore: /whole-loop|training/, retries: 1 },
		// Last: what a checkpoint is measured with keeps the worker busy for a while.
		{ name: "training", testMatch: /training/, retries: 1 },
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
