import { randomBytes } from "node:crypto";
import path from "node:path";
import { dataPath, env, setEnvironment } from "@/server/kernel/env";
import { messageOf } from "@/server/kernel/errors";
import { ensureBuild, findRunningStudio, isPortFree, prepareDatabase, removeRunningStudio, type Supervised, supervise, writeRunningStudio } from "./launcher";

/** `npm start`: database, migrations, sample workspace, worker, web server; prints where to go; Ctrl-C stops everything. */

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];
const development = process.argv.includes("--dev");
const report = (line: string) => console.log(`  ${line}`);
const running: Supervised[] = [];
let stopDatabase: (() => Promise<void>) | undefined;
let stopping = false;

async function stop(exitCode: number): Promise<never> {
	if (stopping) return new Promise<never>(() => undefined);
	stopping = true;
	await Promise.all(running.map((part) => part.stop()));
	await stopDatabase?.();
	removeRunningStudio();
	process.exit(exitCode);
}

function refuse(message: string, fix: string): never {
	console.error(`\n${message}\n${fix}\n`);
	process.exit(1);
}

async function checkThatNothingRuns(): Promise<void> {
	const { STUDIO_HOST, PORT } = env();
	const other = findRunningStudio();
	if (other)
		refuse(
			`A studio already runs on this data directory (${dataPath()}), process ${other.pid}: ${other.address}`,
			"Use that one, or stop it first, or set STUDIO_DATA_DIR and PORT for a second one.",
		);
	if (!(await isPortFree(STUDIO_HOST, PORT))) refuse(`Port ${PORT} is in use by another program.`, `Choose another one: PORT=${PORT + 1} npm start`);
}

async function main(): Promise<void> {
	const { STUDIO_HOST: host, PORT: port } = env();
	await checkThatNothingRuns();
	console.log("\nHarness Evolution Studio");
	const shown = LOOPBACK.includes(host) ? "localhost" : host;
	const address = env().STUDIO_BASE_URL ?? `http://${shown}:${port}`;
	writeRunningStudio(address);

	const database = await prepareDatabase();
	if (database.embedded) stopDatabase = () => database.embedded?.stop() ?? Promise.resolve();
	report(database.embedded ? `database: embedded PostgreSQL in ${dataPath("postgres")}` : "database: DATABASE_URL");
	const demo = env().STUDIO_EMBEDDED === "1" && LOOPBACK.includes(host);
	const token = demo ? (env().STUDIO_DEMO_TOKEN ?? randomBytes(12).toString("base64url")) : "";
	setEnvironment({ NODE_ENV: development ? "development" : "production", STUDIO_BASE_URL: address, ...(demo ? { STUDIO_DEMO_TOKEN: token } : {}) });

	const { seedSamples } = await import("./seed");
	await seedSamples({ demo, report });
	const fatal = (message: string) => {
		console.error(`\n${message}`);
		void stop(1);
	};
	// The worker starts before the build, so that the base evaluation is done by the time the page opens.
	running.push(supervise("worker", process.execPath, ["--import", "tsx", "server/worker.ts"], fatal));
	if (!development) await ensureBuild(report);
	if (stopping) return;
	running.push(
		supervise(
			"web server",
			process.execPath,
			[path.resolve("node_modules/next/dist/bin/next"), development ? "dev" : "start", "-H", host, "-p", String(port)],
			fatal,
		),
	);

	console.log(`\n  Open        ${demo ? `${address}/sign-in?token=${token}` : address}`);
	if (demo) {
		console.log("  People      Lin Xiao (operator) · Zhou Min (reviewer) · Daniel Okafor (product manager) · Maya Iyer (admin)");
		console.log(`  Token       ${token}   one start long; these people exist on this machine only`);
	}
	console.log("  Stop        Ctrl-C\n");
}

process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
process.on("SIGHUP", () => void stop(0));
main().catch((error) => {
	console.error(`\nThe studio could not start: ${messageOf(error)}\n`);
	void stop(1);
});
