import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";

/*
 * `prisma migrate` without its native engine, which cannot be fetched on a machine without the internet: the same engine
 * as WebAssembly, over the driver adapter. Same folders, same `_prisma_migrations` table, same checksums.
 */

const PRISMA_DIR = path.resolve("prisma");
const MIGRATIONS_DIR = path.join(PRISMA_DIR, "migrations");
const LOCK_FILE = path.join(MIGRATIONS_DIR, "migration_lock.toml");
const FILTERS = { externalTables: [], externalEnums: [] };

// biome-ignore lint/suspicious/noExplicitAny: the engine's glue code ships without types
type Engine = any;

/** Reads catalog columns of type "char" (oid 18), which adapter-pg cannot return, as text. */
class CatalogPool extends pg.Pool {
	charColumns: number[] = [];
	// biome-ignore lint/suspicious/noExplicitAny: pg's overloads cannot be restated
	override async query(...args: any[]): Promise<any> {
		// biome-ignore lint/suspicious/noExplicitAny: see above
		const result = await (super.query as any)(...args);
		this.charColumns = [];
		for (const [index, field] of (result.fields ?? []).entries()) {
			if (field.dataTypeID !== 18) continue;
			field.dataTypeID = 25;
			this.charColumns.push(index);
		}
		return result;
	}
}

async function connect(url: string, dispose?: () => Promise<unknown>) {
	const pool = new CatalogPool({ connectionString: url, max: 1 });
	// biome-ignore lint/suspicious/noExplicitAny: the adapter's class is wider than its public type
	const adapter: any = await new PrismaPg(pool as unknown as pg.Pool).connect();
	const queryRaw = adapter.queryRaw.bind(adapter);
	adapter.queryRaw = async (query: unknown) => {
		const result = await queryRaw(query);
		for (const index of pool.charColumns) result.columnTypes[index] = ColumnTypeEnum.Character;
		return result;
	};
	// The adapter's own splits at every ';', which breaks functions and strings; one simple query is what the native engine does.
	adapter.executeScript = async (sql: string) => {
		await pool.query(sql).catch((error: Error) => adapter.onError(error));
	};
	adapter.dispose = async () => {
		await pool.end();
		await dispose?.();
	};
	return adapter;
}

const withDatabase = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** Runs one statement on the server's `postgres` database. */
export async function runAdminSql(url: string, sql: string, values: unknown[] = []): Promise<pg.QueryResult> {
	const client = new pg.Client({ connectionString: withDatabase(url, "postgres") });
	await client.connect();
	try {
		return await client.query(sql, values);
	} finally {
		await client.end();
	}
}

function readSchema() {
	const folder = path.join(PRISMA_DIR, "schema");
	const files = fs
		.readdirSync(folder)
		.filter((name) => name.endsWith(".prisma"))
		.sort()
		.map((name) => ({ path: path.join(folder, name), content: fs.readFileSync(path.join(folder, name), "utf8") }));
	return { files };
}

function listMigrations() {
	const names = fs.existsSync(MIGRATIONS_DIR)
		? fs
				.readdirSync(MIGRATIONS_DIR, { withFileTypes: true })
				.filter((entry) => entry.isDirectory())
				.map((entry) => entry.name)
				.sort()
		: [];
	return {
		baseDir: MIGRATIONS_DIR,
		shadowDbInitScript: "",
		lockfile: { path: "migration_lock.toml", content: fs.existsSync(LOCK_FILE) ? fs.readFileSync(LOCK_FILE, "utf8") : null },
		migrationDirectories: names.map((name) => ({
			path: name,
			migrationFile: {
				path: "migration.sql",
				content: { tag: "ok", value: fs.readFileSync(path.join(MIGRATIONS_DIR, name, "migration.sql"), "utf8") },
			},
		})),
	};
}

async function loadEngine(url: string): Promise<Engine> {
	const folder = path.dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
	const glue = await import(/* turbopackIgnore: true */ pathToFileURL(path.join(folder, "schema_engine_bg.js")).href);
	const bytes = fs.readFileSync(path.join(folder, "schema_engine_bg.wasm"));
	const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": glue });
	Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => process.stderr.write(`schema engine: ${text}\n`) } });
	glue.__wbg_set_wasm(instance.exports);
	(instance.exports.__wbindgen_start as () => void)();
	const factory = {
		provider: "postgres" as const,
		adapterName: "@prisma/adapter-pg",
		connect: () => connect(url),
		async connectToShadowDb() {
			const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`;
			await runAdminSql(url, `CREATE DATABASE "${name}"`);
			return connect(withDatabase(url, name), () => runAdminSql(url, `DROP DATABASE "${name}" WITH (FORCE)`));
		},
	};
	const datamodels = readSchema().files.map((file) => [file.path, file.content]);
	// biome-ignore lint/suspicious/noExplicitAny: the factory above is what the engine needs of it
	return glue.SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory as any));
}

/** Makes the database of this address if it is missing. */
export async function ensureDatabase(url: string): Promise<void> {
	const name = decodeURIComponent(new URL(url).pathname.slice(1));
	const existing = await runAdminSql(url, "select 1 from pg_database where datname = $1", [name]);
	if (existing.rowCount) return;
	await runAdminSql(url, `create database ${pg.escapeIdentifier(name)}`).catch((error: { code?: string }) => {
		if (error.code !== "42P04" && error.code !== "23505") throw error; // another start made it meanwhile
	});
}

/** Applies every migration that the database lacks; returns their names. Safe when two processes do it at once. */
export async function deployMigrations(url: string): Promise<string[]> {
	await ensureDatabase(url);
	const lock = new pg.Client({ connectionString: url });
	await lock.connect();
	try {
		await lock.query("select pg_advisory_lock(7423011)");
		const applied = await lock
			.query<{ migration_name: string }>("select migration_name from _prisma_migrations where finished_at is not null")
			.then((result) => new Set(result.rows.map((row) => row.migration_name)))
			.catch(() => new Set<string>());
		const list = listMigrations();
		// The engine takes 300 ms to load: skip it when there is nothing to do, the usual case of a start.
		if (list.migrationDirectories.every((migration) => applied.has(migration.path))) return [];
		const engine = await loadEngine(url);
		const result = await engine.applyMigrations({ migrationsList: list, filters: FILTERS });
		return result.appliedMigrationNames;
	} finally {
		await lock.end();
	}
}

/** Writes a migration for what the schema has and the migrations lack (or, `fromEmpty`, for all of it); returns its folder, or null when nothing changed. */
export async function createMigration(url: string, name: string, options: { fromEmpty?: boolean; id?: string } = {}): Promise<string | null> {
	await ensureDatabase(url);
	const engine = await loadEngine(url);
	const list = listMigrations();
	const result = await engine.diff({
		from: !options.fromEmpty && list.migrationDirectories.length > 0 ? { tag: "migrations", ...list } : { tag: "empty" },
		to: { tag: "schemaDatamodel", ...readSchema() },
		script: true,
		exitCode: true,
		filters: FILTERS,
	});
	if (result.exitCode !== 2) return null;
	const id = options.id ?? `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`;
	fs.mkdirSync(path.join(MIGRATIONS_DIR, id), { recursive: true });
	fs.writeFileSync(path.join(MIGRATIONS_DIR, id, "migration.sql"), result.stdout);
	fs.writeFileSync(
		LOCK_FILE,
		'# Please do not edit this file manually\n# It should be added in your version-control system (e.g., Git)\nprovider = "postgresql"\n',
	);
	return id;
}
