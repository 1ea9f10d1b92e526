import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/server/db/embedded-postgres";
import { deployMigrations } from "@/server/db/migrations";
import { dataPath, env, inheritEnvironment, setEnvironment } from "@/server/kernel/env";

/** What the web build is made from; a change of any of these makes `npm start` build again. */
const BUILD_INPUTS = [
	"app",
	"components",
	"server",
	"messages",
	"public",
	"prisma/schema",
	"next.config.ts",
	"proxy.ts",
	"package.json",
	"package-lock.json",
	"tsconfig.json",
];
const BUILD_STAMP = path.resolve(".next/studio-build.json");

export interface PreparedDatabase {
	url: string;
	embedded: EmbeddedPostgres | null;
}

/** The database in force: DATABASE_URL, else our own; migrated. Sets the variables that this process and its children read. */
export async function prepareDatabase(): Promise<PreparedDatabase> {
	const given = env().DATABASE_URL;
	// A child of `npm start` is told both the address and that it is the embedded one.
	const embedded = given ? null : await startEmbeddedPostgres();
	const url = given ?? embedded?.url ?? "";
	await deployMigrations(url);
	setEnvironment({ DATABASE_URL: url, STUDIO_EMBEDDED: embedded || env().STUDIO_EMBEDDED === "1" ? "1" : "0" });
	return { url, embedded };
}

export function isPortFree(host: string, port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = net
			.createServer()
			.once("error", () => resolve(false))
			.listen(port, host, () => server.close(() => resolve(true)));
	});
}

/** Pid of the studio that runs on this data directory, or null. A stale file of a killed one does not count. */
export function findRunningStudio(): { pid: number; address: string } | null {
	try {
		const state = JSON.parse(fs.readFileSync(dataPath("studio.json"), "utf8")) as { pid: number; address: string };
		process.kill(state.pid, 0);
		return state.pid === process.pid ? null : state;
	} catch {
		return null;
	}
}

export function writeRunningStudio(address: string): void {
	fs.mkdirSync(dataPath(), { recursive: true });
	fs.writeFileSync(dataPath("studio.json"), JSON.stringify({ pid: process.pid, address }));
}

export function removeRunningStudio(): void {
	fs.rmSync(dataPath("studio.json"), { force: true });
}

function hashInputs(): string {
	const hash = createHash("sha256");
	const visit = (file: string) => {
		if (!fs.existsSync(file)) return;
		const stat = fs.statSync(file);
		if (stat.isDirectory()) {
			for (const name of fs.readdirSync(file).sort()) if (name !== "generated" && !name.endsWith(".test.ts")) visit(path.join(file, name));
		} else hash.update(file).update(fs.readFileSync(file));
	};
	for (const input of BUILD_INPUTS) visit(input);
	return hash.digest("hex");
}

/** Builds the web part when its sources have changed since the last build. */
export async function ensureBuild(report: (line: string) => void): Promise<void> {
	const inputs = hashInputs();
	const stamp = fs.existsSync(BUILD_STAMP) ? (JSON.parse(fs.readFileSync(BUILD_STAMP, "utf8")) as { inputs: string }) : null;
	if (stamp?.inputs === inputs && fs.existsSync(".next/BUILD_ID")) return;
	report("building the web part (first start, about half a minute) …");
	await new Promise<void>((resolve, reject) => {
		const child = spawn(path.resolve("node_modules/.bin/next"), ["build"], {
			stdio: ["ignore", "pipe", "pipe"],
			env: inheritEnvironment({ NODE_ENV: "production" }),
		});
		let output = "";
		child.stdout.on("data", (chunk) => (output += chunk));
		child.stderr.on("data", (chunk) => (output += chunk));
		child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`The web part does not build:\n${output}`))));
	});
	fs.writeFileSync(BUILD_STAMP, JSON.stringify({ inputs }));
}

export interface Supervised {
	stop(): Promise<void>;
}

/** Starts a process and starts it again when it dies; `stop` sends SIGTERM and, after five seconds, SIGKILL. */
export function supervise(name: string, command: string, args: string[], onFatal: (message: string) => void): Supervised {
	let stopping = false;
	let child: ChildProcess;
	let deaths: number[] = [];
	const start = () => {
		child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], env: inheritEnvironment() });
		child.once("exit", (code, signal) => {
			if (stopping) return;
			deaths = [...deaths.filter((at) => Date.now() - at < 60_000), Date.now()];
			if (deaths.length > 5) return onFatal(`${name} died ${deaths.length} times within a minute (last: ${signal ?? code}); see the messages above.`);
			process.stderr.write(`${name} ended (${signal ?? code}); starting it again\n`);
			setTimeout(start, 300);
		});
	};
	start();
	return {
		async stop() {
			stopping = true;
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
			child.kill("SIGTERM");
			const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
			await ended;
			clearTimeout(timer);
		},
	};
}
