import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { dataPath } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";

export interface RunningStudio {
	pid: number;
	/** When that process began, as the system tells it: a number is given to another process one day, in containers at once. */
	since: string | null;
	/** What people type, which may be a proxy's. */
	address: string;
	/** Where its web process listens. */
	host: string;
	port: number;
}

const file = () => dataPath("studio.json");

/** When a living process began, in whatever form the system has; null when there is none, or the system does not tell. */
export function beginningOf(pid: number): string | null {
	try {
		// Ticks since the machine's start, and which start that was. The name before may hold spaces and brackets.
		const fields = fs
			.readFileSync(`/proc/${pid}/stat`, "utf8")
			.replace(/^.*\)\s/s, "")
			.split(" ");
		return fields[0] === "Z" ? null : `${fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${fields[19]}`;
	} catch {
		if (fs.existsSync("/proc/self/stat")) return null;
	}
	return spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() || null;
}

/** The studio that runs on this data directory, or null. The file of a killed one does not count, whoever has its number by now. */
export function findRunningStudio(): RunningStudio | null {
	try {
		const state = JSON.parse(fs.readFileSync(file(), "utf8")) as RunningStudio;
		process.kill(state.pid, 0);
		return state.pid === process.pid || beginningOf(state.pid) !== state.since ? null : state;
	} catch {
		return null;
	}
}

export function writeRunningStudio(studio: Omit<RunningStudio, "pid" | "since">): void {
	fs.writeFileSync(file(), JSON.stringify({ pid: process.pid, since: beginningOf(process.pid), ...studio }));
}

/** Forgets this process's studio; one of another process stays. */
export function removeRunningStudio(): void {
	try {
		if ((JSON.parse(fs.readFileSync(file(), "utf8")) as RunningStudio).pid === process.pid) fs.rmSync(file(), { force: true });
	} catch {
		// There is none, or this process has not even found out where.
	}
}

/**
 * Makes the data directory. Throws `data-directory-unwritable` where nothing can be written. One folder after the other:
 * asked for all at once, Node never comes back from a place like /proc.
 */
export function makeDataDirectory(): void {
	const folder = dataPath();
	try {
		const missing: string[] = [];
		for (let at = folder; !fs.existsSync(at); at = path.dirname(at)) missing.unshift(at);
		for (const one of missing) fs.mkdirSync(one);
		const probe = path.join(folder, `.write-${process.pid}`);
		fs.writeFileSync(probe, "");
		fs.rmSync(probe);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === "ENOSPC") throw cause;
		throw new AppError("unavailable", `The data directory ${folder} cannot be written (${code}).`, {
			reason: "data-directory-unwritable",
			params: { folder },
			fix: "Make it writable for this user, or set STUDIO_DATA_DIR to a folder that is.",
			cause,
		});
	}
}

/** Why nothing can listen on this address: the system's code (EADDRINUSE, EADDRNOTAVAIL, EACCES, …); null when it can. */
export function whyNotListen(host: string, port: number): Promise<string | null> {
	return new Promise((resolve) => {
		const server = net
			.createServer()
			.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
			.listen(port, host, () => server.close(() => resolve(null)));
	});
}

/** What is wrong with the address and what to do; null when the web process can listen there. */
export async function addressProblem(host: string, port: number): Promise<{ message: string; fix: string } | null> {
	const code = await whyNotListen(host, port);
	if (code === null) return null;
	if (code === "EADDRINUSE")
		return { message: `Port ${port} is in use by another program.`, fix: `Choose another one: PORT=${port === 65535 ? 3000 : port + 1} npm start` };
	if (code === "EACCES") return { message: `This user may not listen on port ${port}.`, fix: "Choose one above 1023: PORT=3000 npm start" };
	const why =
		code === "EADDRNOTAVAIL"
			? "is no address of this machine"
			: code === "ENOTFOUND" || code === "EAI_AGAIN"
				? "is no known name"
				: `cannot be listened on (${code})`;
	return {
		message: `STUDIO_HOST=${host} ${why}.`,
		fix: "Leave it out to listen on this machine only, or set STUDIO_HOST=0.0.0.0 to listen on all of its addresses.",
	};
}
