import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { namingDisk } from "@/server/db/embedded-postgres";
import { dataPath, env, setEnvironment } from "@/server/kernel/env";
import { AppError, messageOf } from "@/server/kernel/errors";
import { shutdownSignal } from "@/server/kernel/shutdown";
import {
	answers,
	ensureBuild,
	isWebBanner,
	plainLine,
	prepareDatabase,
	type Supervised,
	type SupervisedProcess,
	supervise,
	WORKER_ARGUMENTS,
} from "./launcher";
import { addressProblem, findRunningStudio, makeDataDirectory, removeRunningStudio, writeRunningStudio } from "./running-studio";
import { superviseDatabase } from "./supervise-database";

/** `npm start`: database, migrations, sample workspace, worker, web server; prints where to go; Ctrl-C stops everything. */

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];
const development = process.argv.includes("--dev");
const report = (line: string) => console.log(`  ${line}`);
/** Has the web server stop when this process is killed. */
const END_WITH_US = new URL("end-with-launcher.mjs", import.meta.url).href;
const running: SupervisedProcess[] = [];
let database: Supervised | undefined;
let stopping = false;

async function stop(exitCode: number): Promise<never> {
	if (stopping) return new Promise<never>(() => undefined);
	stopping = true;
	await Promise.all(running.map((part) => part.stop()));
	await database?.stop();
	removeRunningStudio();
	console.log("  stopped");
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
	const problem = await addressProblem(STUDIO_HOST, PORT);
	if (problem) refuse(problem.message, problem.fix);
}

function onFatal(message: string): void {
	console.error(`\n${message}`);
	void stop(1);
}

/** What is wrong with the port, and what to do; null when the web server can listen there. */
async function portTaken(): Promise<string | null> {
	const problem = await addressProblem(env().STUDIO_HOST, env().PORT);
	return problem && `${problem.message}\n${problem.fix}`;
}

/** Worker and web server; after the build, which needs the whole of a small machine. */
function startParts(host: string, port: number): void {
	// A person at a terminal wants to know what is wrong, in words; who wants more says so.
	const quiet = !process.env.STUDIO_LOG_LEVEL;
	const optionsOf = (name: string) => ({
		onFatal,
		environment: (quiet ? { STUDIO_LOG_LEVEL: "warn" } : {}) as Record<string, string>,
		...(quiet ? { render: (line: string) => plainLine(name, line) } : {}),
	});
	running.push(supervise("worker", process.execPath, WORKER_ARGUMENTS, { ...optionsOf("worker"), endsWithUs: true }));
	running.push(
		supervise(
			"web server",
			process.execPath,
			["--import", END_WITH_US, path.resolve("node_modules/next/dist/bin/next"), development ? "dev" : "start", "-H", host, "-p", String(port)],
			{ ...optionsOf("web server"), endsWithUs: true, whyNotAgain: portTaken, ...(development ? {} : { hidden: isWebBanner }) },
		),
	);
}

async function main(): Promise<void> {
	const { STUDIO_HOST: host, PORT: port } = env();
	makeDataDirectory();
	await checkThatNothingRuns();
	console.log("\nHarness Evolution Studio");
	if (!env().DATABASE_URL && !fs.existsSync(dataPath("postgres")))
		report("first start: a database, the sample workspace and the web part are made; about a minute, longer on a slow or busy machine");
	const shown = LOOPBACK.includes(host) ? "localhost" : host;
	const address = env().STUDIO_BASE_URL ?? `http://${shown}:${port}`;
	writeRunningStudio({ address, host, port });

	const { DATABASE_URL: given } = env();
	if (given) {
		// Not at the top: its logger reads the environment, whose faults are to be said in one sentence.
		const { waitForDatabase } = await import("@/server/db/wait-for-database");
		await waitForDatabase(given, shutdownSignal());
	}
	const { embedded } = await prepareDatabase();
	if (embedded)
		database = superviseDatabase(
			embedded,
			(line) => console.error(line),
			(url) => {
				setEnvironment({ DATABASE_URL: url });
				for (const part of running) part.restart();
			},
		);
	report(embedded ? `database: embedded PostgreSQL in ${dataPath("postgres")}` : "database: DATABASE_URL");
	const demo = env().STUDIO_EMBEDDED === "1" && LOOPBACK.includes(host);
	const token = demo ? (env().STUDIO_DEMO_TOKEN ?? randomBytes(12).toString("base64url")) : "";
	setEnvironment({ NODE_ENV: development ? "development" : "production", STUDIO_BASE_URL: address, ...(demo ? { STUDIO_DEMO_TOKEN: token } : {}) });

	const { seedSamples } = await import("./seed");
	const { canSignIn } = await seedSamples({ demo, report });
	if (!development) await ensureBuild(report);
	if (stopping) return;
	// The build takes minutes, in which another program may have taken the port.
	const taken = await portTaken();
	if (taken) return onFatal(taken);
	startParts(host, port);
	// The address is printed when a browser that opens it finds something.
	while (!stopping && !(await answers(host, port))) await sleep(100);
	if (stopping) return;
	printWhereToGo({ address, token, canSignIn });
}

function printWhereToGo({ address, token, canSignIn }: { address: string; token: string; canSignIn: boolean }): void {
	const demo = token !== "";
	console.log(`\n  Open        ${demo ? `${address}/sign-in?token=${token}` : address}`);
	if (demo) {
		console.log("  People      Lin Xiao (operator) · Zhou Min (reviewer) · Daniel Okafor (product manager) · Maya Iyer (admin)");
		console.log(`  Token       ${token}   one start long; these people exist on this machine only`);
	}
	if (!canSignIn)
		console.log(
			"  Sign in     nobody can yet. Make the first admin, with the same DATABASE_URL, STUDIO_SECRET and STUDIO_DATA_DIR:\n              npm run -s studio -- create-admin you@example.com",
		);
	console.log("  Stop        Ctrl-C\n");
}

process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
process.on("SIGHUP", () => void stop(0));
main().catch((cause) => {
	const error = namingDisk(cause);
	const fix = error instanceof AppError && error.fix ? `\n${error.fix}` : "";
	console.error(`\nThe studio could not start: ${messageOf(error)}${fix}\n`);
	void stop(1);
});
