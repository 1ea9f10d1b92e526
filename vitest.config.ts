import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
	resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
	test: {
		include: ["server/**/*.test.ts", "components/**/*.test.{ts,tsx}", "examples/**/*.test.ts"],
		environment: "node",
		pool: "forks",
		maxWorkers: 2,
		globalSetup: "./server/db/vitest-global.ts",
		testTimeout: 30_000,
		hookTimeout: 60_000,
		env: { STUDIO_LOG_LEVEL: "silent" },
	},
});
