import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import type { EndpointRole } from "../contract";

/** How the model `play` plays each role (default `good`); with a key, who does not send it is refused. */
export type RoleScript = Partial<Record<EndpointRole | "key", string>>;

export interface TestServer {
	/** `http://127.0.0.1:<port>/v1` */
	baseUrl: string;
	/** What was asked since the last call. */
	takeLog(): Promise<{ body: Record<string, unknown>; headers: Record<string, string> }[]>;
	/** What the model `play` does from now on. */
	play(script: RoleScript): Promise<void>;
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
		play: async (script) => void (await fetch(`http://127.0.0.1:${port}/script`, { method: "POST", body: JSON.stringify(script) })),
		stop: () => child.kill("SIGKILL"),
	};
}
