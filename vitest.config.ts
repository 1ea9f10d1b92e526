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
		globalSetup: "./server/db/vitest-global.ts",
		testTimeout: 30_000,
		hookTimeout: 60_000,
		env: { STUDIO_LOG_LEVEL: "silent" },
	},
}));
