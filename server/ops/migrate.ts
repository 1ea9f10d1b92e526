import fs from "node:fs";
import { startEmbeddedPostgres } from "@/server/db/embedded-postgres";
import { createMigration, deployMigrations } from "@/server/db/migrations";
import { env } from "@/server/kernel/env";

/** `npm run db -- deploy | new NAME | init`: applies migrations, writes the next one, or (before the first release) rewrites the first. */
const [command = "deploy", name = "change"] = process.argv.slice(2);
const embedded = env().DATABASE_URL ? undefined : await startEmbeddedPostgres();
const url = env().DATABASE_URL ?? embedded?.url ?? "";
try {
	if (command === "deploy") console.log("applied:", (await deployMigrations(url)).join(", ") || "nothing to do");
	else if (command === "new") console.log((await createMigration(url, name)) ?? "the schema has no change");
	else if (command === "init") {
		// Only the generated first migration is replaced; hand-written ones (triggers) stay and come after it.
		for (const folder of fs.readdirSync("prisma/migrations")) {
			if (folder.endsWith("_init")) fs.rmSync(`prisma/migrations/${folder}`, { recursive: true, force: true });
		}
		console.log(await createMigration(url, "init", { fromEmpty: true, id: "20261129000000_init" }));
	} else throw new Error("usage: npm run db -- deploy | new NAME | init");
} finally {
	if (embedded?.started) await embedded.stop();
}
process.exit();
