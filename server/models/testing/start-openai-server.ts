import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";

export interface TestServer {
	/** `http://127.0.0.1:<port>/v1` */
	baseUrl: string;
	/** What was asked since the last call. */
	takeLog(): Promise<{ body: Record<string, unknown>; headers: Record<string, string> }[]>;
	stop(): void;
}

/** Starts the test server as a process of its own. */
export async function startOpenAiServer(): Promise<TestServer> {
	const child: ChildProcess = fork(path.join(import.meta.dirname, "openai-server.mjs"), { execArgv: [] });
	const port = await new Promise<number>((resolve, reject) => {
		child.once("message", (message) => resolve(Number(message)));
		child.once("error", reject);
	});
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		takeLog: async () => (await fetch(`http://127.0.0.1:${port}/log`)).json() as ReturnType<TestServer["takeLog"]>,
		stop: () => child.kill("SIGKILL"),
	};
}
