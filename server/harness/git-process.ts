import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import fs from "node:fs/promises";
import { diskFull } from "@/server/db/failures";
import { inheritEnvironment } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";

export interface GitResult {
	code: number;
	stdout: Buffer;
	stderr: string;
}

export interface GitOptions {
	input?: string | Buffer;
	timeoutMs?: number;
	/** Exit codes that are answers, not failures. */
	accept?: readonly number[];
	/** Transports of a push: `https`, `ssh` … */
	protocols?: string;
	/** More options of ssh for a push; they begin with a space. */
	ssh?: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Settings that win over whatever a repository's own config says: no hooks, no helpers, no work in the background. */
const SETTINGS = [
	"core.hooksPath=/dev/null",
	"core.fsmonitor=false",
	"core.attributesFile=/dev/null",
	"core.excludesFile=/dev/null",
	"core.alternateRefsCommand=",
	"gc.auto=0",
	"maintenance.auto=false",
	"credential.helper=",
	"protocol.allow=never",
	"log.showSignature=false",
	"safe.directory=*",
];

/** Nothing of the caller's environment but the path: no GIT_*, no editor, no pager, no home with a config in it. */
function environment(protocols: string | undefined, ssh = ""): NodeJS.ProcessEnv {
	const { PATH, TMPDIR, SSH_AUTH_SOCK } = inheritEnvironment();
	return {
		NODE_ENV: "production",
		...(PATH ? { PATH } : {}),
		...(TMPDIR ? { TMPDIR } : {}),
		// A push over ssh may use the agent that the operator of the server set up.
		...(protocols && SSH_AUTH_SOCK ? { SSH_AUTH_SOCK } : {}),
		HOME: "/nonexistent",
		LC_ALL: "C",
		TZ: "UTC",
		GIT_CONFIG_NOSYSTEM: "1",
		GIT_CONFIG_GLOBAL: "/dev/null",
		GIT_ATTR_NOSYSTEM: "1",
		GIT_TERMINAL_PROMPT: "0",
		GIT_ASKPASS: "/bin/false",
		GIT_SSH_COMMAND: `ssh -oBatchMode=yes${ssh}`,
		GIT_LITERAL_PATHSPECS: "1",
		GIT_NO_REPLACE_OBJECTS: "1",
		...(protocols ? { GIT_ALLOW_PROTOCOL: protocols } : {}),
	};
}

/** Git in a bare repository, without a shell and in a cleaned environment, for whoever reads its output while it runs. */
export function startGit(directory: string, args: readonly string[], settings: readonly string[] = []): ChildProcessWithoutNullStreams {
	const options = [...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
	return spawn("git", [...options, ...args, directory], { env: environment(undefined), stdio: ["pipe", "pipe", "pipe"] });
}

/**
 * Runs git in a bare repository, without a shell and in a cleaned environment. Throws `timeout`, `unavailable` (no git, a full
 * disk) or `internal`; git's own words go into the cause, never to people.
 */
export async function runGit(directory: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
	const settings = SETTINGS.filter((setting) => !(options.protocols && setting.startsWith("protocol."))).flatMap((setting) => ["-c", setting]);
	const result = await collect(["--git-dir", directory, ...settings, ...args], options);
	if (result.code === 0) return result;
	if (await isDiskFull(directory, result.stderr)) throw diskFull(new Error(result.stderr.slice(0, 2_000)));
	if (options.accept?.includes(result.code)) return result;
	throw gitFailed(
		"The harness repository could not do this.",
		`git ${args.slice(0, 2).join(" ")} exited with ${result.code}: ${result.stderr.slice(0, 2_000)}`,
	);
}

/** `said` is for the log alone. */
export const gitFailed = (message: string, said: string) =>
	new AppError("internal", message, {
		reason: "git-failed",
		fix: "Try again. If it fails again, the log of the studio has what git said.",
		cause: new Error(said),
	});

/** Whether git failed because nothing more can be written. It does not always say why it couldn't write: then the disk is asked. */
async function isDiskFull(directory: string, stderr: string): Promise<boolean> {
	if (/No space left on device|Disk quota exceeded/.test(stderr)) return true;
	if (!/(?:couldn't|could not|unable to) write/.test(stderr)) return false;
	const free = await fs.statfs(directory).catch(() => null);
	return free?.bavail === 0;
}

/** What to say where the program is not there. */
export function gitMissing(cause: unknown): AppError {
	return new AppError("unavailable", "git is not installed on this machine.", {
		reason: "git-missing",
		fix: "Install git 2.38 or newer and start the studio again.",
		cause,
	});
}

function collect(args: readonly string[], options: GitOptions): Promise<GitResult> {
	return new Promise((resolve, reject) => {
		const child = spawn("git", args, {
			env: environment(options.protocols, options.ssh),
			stdio: ["pipe", "pipe", "pipe"],
			timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
			killSignal: "SIGKILL",
		});
		const out: Buffer[] = [];
		let bytes = 0;
		let stderr = "";
		child.stdout.on("data", (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes > MAX_OUTPUT_BYTES) child.kill("SIGKILL");
			else out.push(chunk);
		});
		child.stderr.on("data", (chunk: Buffer) => {
			if (stderr.length < 10_000) stderr += chunk.toString();
		});
		// Git may end before it has read everything; its exit code says whether that matters.
		child.stdin.on("error", () => undefined);
		child.on("error", (cause) => {
			reject(gitMissing(cause));
		});
		child.on("close", (code, signal) => {
			if (signal)
				reject(
					new AppError("timeout", "The harness repository did not answer in time.", {
						reason: "git-timeout",
						fix: "Try again. If it stays so, look whether the disk of the repositories is slow or full.",
						cause: new Error(`git was ended by ${signal}`),
					}),
				);
			else resolve({ code: code ?? 1, stdout: Buffer.concat(out), stderr });
		});
		child.stdin.end(options.input ?? "");
	});
}
