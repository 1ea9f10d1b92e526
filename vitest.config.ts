import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// `--mode deep`: the long property tests, which no ordinary run includes.
export default defineConfig(({ mode }) => ({
	resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
	test: {
		include: mode === "deep" ? ["server/**/*.deep.test.ts"] : ["server/**/*.test.ts", "components/**/*.test.{ts,tsx}", "examples/**/*.test.ts"],
		exclude: ["**/node_modules/**", ...(mode === "deep" ? [] : ["**/*.deep.test.ts"])],
		environment: "node",
		pool: "forks",
		maxWorkers: 2,
		// A process for many files: a third of the time of all of them together was loading the same modules again.
		isolate: false,
		globalSetup: "./server/db/vitest-global.ts",
		testTimeout: 30_000,
		hookTimeout: 60_000,
		env: { STUDIO_LOG_LEVEL: "silent" },
	},
}));
