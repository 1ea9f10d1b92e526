import path from "node:path";
import { z } from "zod";

const EnvSchema = z.object({
	NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
	/** Any PostgreSQL ≥ 14; without it the studio starts its own. */
	DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "DATABASE_URL must be a postgresql:// address" }).optional(),
	/** Where the studio keeps its data: database, repositories, secrets. */
	STUDIO_DATA_DIR: z.string().min(1).default(".studio"),
	STUDIO_HOST: z.string().min(1).default("127.0.0.1"),
	PORT: z.coerce.number({ error: "a whole number from 1 to 65535" }).int().min(1).max(65535).default(3000),
	/** The address people use, when a proxy stands in front. */
	STUDIO_BASE_URL: z.url().optional(),
	STUDIO_SECRET: z.string().min(32, "STUDIO_SECRET must have at least 32 characters").optional(),
	/** Hosts of a private network that harnesses may be pushed to, separated by commas. */
	STUDIO_REMOTE_HOSTS: z.string().default(""),
	STUDIO_LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
	/** Real public data for tests. */
	STUDIO_TEST_DATA: z.string().default("../shared/data"),
	/** Set by `npm start` in the processes it starts: this database is its own, so demo personas may exist. */
	STUDIO_EMBEDDED: z.enum(["0", "1"]).default("0"),
	/** The token for the demo personas, one for each start, set by `npm start`. */
	STUDIO_DEMO_TOKEN: z.string().optional(),
	/** Only for tests: durability of the embedded database. */
	STUDIO_PG_FSYNC: z.enum(["on", "off"]).default("on"),
	CI: z.string().optional(),
	CHROMIUM: z.string().optional(),
});

export type Env = z.infer<typeof EnvSchema>;

let cached: Env | undefined;

/** The process's environment, validated once. Throws one readable line for each bad variable. */
export function env(): Env {
	if (cached) return cached;
	const present = Object.fromEntries(Object.entries(process.env).filter(([, v]) => v !== undefined && v !== ""));
	const result = EnvSchema.safeParse(present);
	if (!result.success) {
		const lines = result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
		throw new Error(`The environment is not valid:\n${lines.join("\n")}`);
	}
	cached = result.data;
	return cached;
}

/** Absolute path of the data directory, or of something in it. */
export function dataPath(...parts: string[]): string {
	return path.resolve(env().STUDIO_DATA_DIR, ...parts);
}

/** Value of a key variable (`STUDIO_KEY_…` only), so that no other secret of the machine can be named by an endpoint. */
export function readKeyVariable(name: string): string | undefined {
	if (!/^STUDIO_KEY_[A-Z0-9_]+$/.test(name)) return undefined;
	return process.env[name] || undefined;
}

/** Sets variables for this process and those it starts; for the launcher and tests only. */
export function setEnvironment(values: Record<string, string>): void {
	Object.assign(process.env, values);
	cached = undefined;
}

/** A copy of the environment for a process that we start. */
export function inheritEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
	return { ...process.env, ...extra };
}
