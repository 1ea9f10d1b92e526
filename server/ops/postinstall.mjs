// Generates the Prisma client after `npm ci`. The engine binary that `prisma generate` looks for is not used by
// the client (driver adapter), and cannot be fetched on a machine without the internet: any runnable file satisfies the check.
import { spawnSync } from "node:child_process";

const result = spawnSync("npx", ["prisma", "generate", "--no-hints"], {
	stdio: ["ignore", "pipe", "pipe"],
	encoding: "utf8",
	env: {
		...process.env,
		PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
		PRISMA_HIDE_UPDATE_MESSAGE: "1",
	},
	shell: process.platform === "win32",
});
if (result.status !== 0) {
	console.error(result.stdout, result.stderr);
	console.error("prisma generate failed: see above; then run `npx prisma generate` again.");
	process.exit(1);
}
