import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import pg from "pg";

const ANSWER_MS = 3_000;

/** What listens on a port: the server of our folder, the same still starting, a listener that says nothing, something else, or nothing. */
export type Probe = "ours" | "starting" | "silent" | "other" | "none";

const realPath = (folder: string): string => {
	try {
		return fs.realpathSync(folder);
	} catch {
		return folder;
	}
};

function probeOf(error: unknown): Probe {
	const { code, message } = error as { code?: string; message?: string };
	if (code === "ECONNREFUSED") return "none";
	if (code === "57P03") return "starting";
	return /timeout|timed out/i.test(message ?? "") ? "silent" : "other";
}

/** Asks the server of a local port whether it is the one of folder `data`. Answers within some seconds, whatever listens there. */
export async function probePostgres({ port, password, data }: { port: number; password: string; data: string }): Promise<Probe> {
	const client = new pg.Client({
		host: "127.0.0.1",
		port,
		user: "postgres",
		password,
		database: "postgres",
		connectionTimeoutMillis: ANSWER_MS,
		query_timeout: ANSWER_MS,
	});
	client.on("error", () => undefined);
	try {
		await client.connect();
		const { rows } = await client.query<{ data_directory: string }>("show data_directory");
		return realPath(rows[0]?.data_directory ?? "") === realPath(data) ? "ours" : "other";
	} catch (error) {
		return probeOf(error);
	} finally {
		// A listener that says nothing would never say goodbye either.
		void client.end().catch(() => undefined);
	}
}

/** Whether anything listens on a local port, also what does not answer. */
export function isListening(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const settle = (listening: boolean) => {
			socket.destroy();
			resolve(listening);
		};
		const socket = net
			.connect(port, "127.0.0.1", () => settle(true))
			.setTimeout(ANSWER_MS, () => settle(true))
			.once("error", () => settle(false));
	});
}

/** The command line of a living process; null when there is none or it is only a zombie. */
function commandOf(pid: number): string | null {
	if (fs.existsSync("/proc/self/cmdline")) {
		try {
			return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") || null;
		} catch {
			return null;
		}
	}
	return spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim() || null;
}

/** Whether process `pid` is the PostgreSQL server of folder `data`. */
export function isPostmaster(pid: number, data: string): boolean {
	const command = commandOf(pid);
	return command?.includes("postgres") === true && command.includes(data);
}
