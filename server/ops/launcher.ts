import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/server/db/embedded-postgres";
import { deployMigrations } from "@/server/db/migrations";
import { env, inheritEnvironment, setEnvironment } from "@/server/kernel/env";
import { makeDataDirectory } from "./running-studio";

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
const PROGRESS_MS = 15_000;
const BUILD_STAMP = path.resolve(".next/studio-build.json");

export interface PreparedDatabase {
	url: string;
	embedded: EmbeddedPostgres | null;
}

/** The database in force: DATABASE_URL, else our own; migrated, or else down again. Sets the variables that this process and its children read. */
export async function prepareDatabase(): Promise<PreparedDatabase> {
	const given = env().DATABASE_URL;
	makeDataDirectory();
	// A child of `npm start` is told both the address and that it is the embedded one.
	const embedded = given ? null : await startEmbeddedPostgres();
	const url = given ?? embedded?.url ?? "";
	try {
		await deployMigrations(url);
	} catch (error) {
		if (embedded?.started) await embedded.stop();
		throw error;
	}
	setEnvironment({ DATABASE_URL: url, STUDIO_EMBEDDED: embedded || env().STUDIO_EMBEDDED === "1" ? "1" : "0" });
	return { url, embedded };
}

/** Whether a web process answers there, with whatever status. An address that stands for all interfaces is asked on loopback. */
export async function answers(host: string, port: number): Promise<boolean> {
	const asked = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
	try {
		const response = await fetch(`http://${asked}:${port}/sign-in`, { redirect: "manual", signal: AbortSignal.timeout(5_000) });
		await response.body?.cancel();
		return true;
	} catch {
		return false;
	}
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

/** The step that the build names last, without its marks and dots. */
export function lastStep(output: string): string {
	const lines = output.split(/[\r\n]+/).map((line) => line.replace(/^[^\p{L}]+|[\s.…]+$/gu, ""));
	return lines.findLast((line) => line !== "") ?? "starting";
}

/** Builds the web part when its sources have changed since the last build. */
export async function ensureBuild(report: (line: string) => void): Promise<void> {
	const inputs = hashInputs();
	const stamp = fs.existsSync(BUILD_STAMP) ? (JSON.parse(fs.readFileSync(BUILD_STAMP, "utf8")) as { inputs: string }) : null;
	if (stamp?.inputs === inputs && fs.existsSync(".next/BUILD_ID")) return;
	report("building the web part: about a minute, several on a slow machine …");
	const startedAt = Date.now();
	const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
	await new Promise<void>((resolve, reject) => {
		const child = spawn(path.resolve("node_modules/.bin/next"), ["build"], {
			stdio: ["ignore", "pipe", "pipe"],
			env: inheritEnvironment({ NODE_ENV: "production" }),
		});
		// Whoever stops the studio now stops this too: a build that went on would keep the next start from building.
		const end = () => void child.kill("SIGTERM");
		process.once("exit", end);
		let output = "";
		const timer = setInterval(() => report(`  ${elapsed()}: ${lastStep(output)}`), PROGRESS_MS);
		child.stdout.on("data", (chunk) => (output += chunk));
		child.stderr.on("data", (chunk) => (output += chunk));
		child.once("exit", (code) => {
			clearInterval(timer);
			process.off("exit", end);
			if (code === 0) resolve();
			else reject(new Error(`The web part does not build:\n${output}`));
		});
	});
	report(`the web part is built (${elapsed()})`);
	fs.writeFileSync(BUILD_STAMP, JSON.stringify({ inputs }));
}

export interface Supervised {
	stop(): Promise<void>;
}

export interface SupervisedProcess extends Supervised {
	/** Ends the process, which then starts again with the environment of now. */
	restart(): void;
}

/** What Next says at its start; the launcher says it in its own words, and the network's address is not where people go. */
export const isWebBanner = (line: string): boolean => /^\s*(▲ Next\.js|- (Local|Network|Environments):|✓ (Starting|Ready|Running)\b|$)/.test(line);

/** A line of the structured log as a person reads it at a terminal; any other line as it is. */
export function plainLine(name: string, line: string): string {
	try {
		const { msg, err, error } = JSON.parse(line) as { msg?: unknown; err?: { message?: unknown }; error?: unknown };
		const why = [err?.message, error].find((one) => typeof one === "string");
		return typeof msg === "string" ? `${name}: ${msg}${why && !msg.includes(String(why)) ? `: ${why}` : ""}` : line;
	} catch {
		return line;
	}
}

export interface SuperviseOptions {
	onFatal: (message: string) => void;
	/** Asked when the process died: why another start would die too, in a sentence that says what to do. */
	whyNotAgain?: () => Promise<string | null>;
	/** How its lines on stderr are shown, one that says the same as the last not again; as they are where left out. */
	render?: (line: string) => string;
	environment?: Record<string, string>;
	/** It listens to the channel's end (`shutdownSignal`), and stops when this process is killed. */
	endsWithUs?: boolean;
	/** Lines of its output that are not passed on; errors have a stream of their own, which always is. */
	hidden?: (line: string) => boolean;
}

function showChanges(output: Readable, render: (line: string) => string): void {
	let last = "";
	createInterface({ input: output }).on("line", (line) => {
		const shown = render(line);
		if (shown !== last) process.stderr.write(`${shown}\n`);
		last = shown;
	});
}

/**
 * Of the worker's process. Episodes and trainings make many objects that live for a moment: with a larger nursery they die
 * there (one retraining takes a fifth less).
 */
export const WORKER_ARGUMENTS = ["--max-semi-space-size=64", "--import", "tsx", "server/worker.ts"];

/** Starts a process and starts it again when it dies; `stop` sends SIGTERM and, after five seconds, SIGKILL. */
export function supervise(name: string, command: string, args: string[], options: SuperviseOptions): SupervisedProcess {
	const { onFatal, whyNotAgain, render, environment, hidden, endsWithUs } = options;
	let stopping = false;
	let child: ChildProcess;
	let deaths: number[] = [];
	const start = () => {
		if (stopping) return;
		child = spawn(command, args, {
			stdio: ["ignore", hidden ? "pipe" : "inherit", render ? "pipe" : "inherit", ...(endsWithUs ? (["ipc"] as const) : [])],
			env: inheritEnvironment(environment),
		});
		if (hidden && child.stdout)
			createInterface({ input: child.stdout }).on("line", (line) => {
				if (!hidden(line)) console.log(line);
			});
		if (render && child.stderr) showChanges(child.stderr, render);
		child.once("exit", async (code, signal) => {
			if (stopping) return;
			const why = await whyNotAgain?.();
			if (why) return onFatal(why);
			deaths = [...deaths.filter((at) => Date.now() - at < 60_000), Date.now()];
			if (deaths.length > 5) return onFatal(`${name} died ${deaths.length} times within a minute (last: ${signal ?? code}); see the messages above.`);
			process.stderr.write(`${name} ended (${signal ?? code}); starting it again\n`);
			setTimeout(start, 300);
		});
	};
	start();
	return {
		restart: () => void child.kill("SIGTERM"),
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
