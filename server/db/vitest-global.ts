import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { setEnvironment } from "@/server/kernel/env";
import { startEmbeddedPostgres } from "./embedded-postgres";
import { deployMigrations, runAdminSql } from "./migrations";

/** Starts one embedded PostgreSQL for the whole test run, migrates a template, and takes everything down again. */
export default async function setup(project: TestProject) {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "studio-test-"));
	fs.chmodSync(folder, 0o755);
	setEnvironment({ STUDIO_DATA_DIR: folder, STUDIO_PG_FSYNC: "off", STUDIO_LOG_LEVEL: "silent" });
	const server = await startEmbeddedPostgres();
	const templateUrl = Object.assign(new URL(server.url), { pathname: "/studio_template" }).href;
	await deployMigrations(templateUrl);
	await runAdminSql(templateUrl, "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'studio_template'");
	project.provide("templateUrl", templateUrl);
	return async () => {
		await server.stop();
		fs.rmSync(folder, { recursive: true, force: true });
	};
}
