import { defineConfig } from "prisma/config";

// Only `prisma generate`, `validate` and `format` read this file; migrations go through server/ops/migrate.ts.
export default defineConfig({
	schema: "prisma/schema",
	migrations: { path: "prisma/migrations" },
});
