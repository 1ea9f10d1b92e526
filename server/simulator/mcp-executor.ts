import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import type { ToolExecutor } from "@/server/agent/contract";
import { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import type { SimulatorDependencies, ToolConnection } from "./ports";
import { connectionError, readLimited } from "./read-limited";

const MAX_BYTES = 1 << 20;
const REQUEST_TIMED_OUT = -32001;

/** Keeps one session for each connection, opened on first use and opened again after it broke. */
export class McpSessions {
	private readonly clients = new Map<string, { version: string; client: Promise<Client> }>();

	constructor(private readonly fetchFor: SimulatorDependencies["fetchFor"]) {}

	async use<T>(key: string, connection: ToolConnection, work: (client: Client) => Promise<T>): Promise<T> {
		const client = await this.open(key, connection);
		try {
			return await work(client);
		} catch (error) {
			// Protocol errors are answers; anything else may have broken the session.
			if (!(error instanceof McpError)) await this.drop(key);
			throw error;
		}
	}

	async close(): Promise<void> {
		await Promise.all([...this.clients.keys()].map((key) => this.drop(key)));
	}

	private open(key: string, connection: ToolConnection): Promise<Client> {
		const version = fingerprint(connection);
		const known = this.clients.get(key);
		if (known?.version === version) return known.client;
		if (known) void this.drop(key);
		const client = connect(connection, this.fetchFor(connection.allowPrivate));
		this.clients.set(key, { version, client });
		client.catch(() => this.clients.get(key)?.client === client && this.clients.delete(key));
		return client;
	}

	private async drop(key: string): Promise<void> {
		const known = this.clients.get(key);
		this.clients.delete(key);
		await known?.client.then((client) => client.close()).catch(() => undefined);
	}
}

async function connect(connection: ToolConnection, guarded: typeof fetch): Promise<Client> {
	const client = new Client({ name: "harness-evolution-studio", version: "1.0.0" });
	const limited = async (input: string | URL, init?: RequestInit): Promise<Response> => {
		const response = await guarded(input, init);
		// The stream of server messages is open-ended; an answer to a POST that is not a stream is bounded.
		if (init?.method !== "POST" || response.headers.get("content-type")?.includes("event-stream")) return response;
		const text = await readLimited(response, MAX_BYTES);
		const bare = response.status === 204 || response.status === 205 || response.status === 304;
		return new Response(bare ? null : text, { status: response.status, headers: Object.fromEntries(response.headers) });
	};
	const transport = new StreamableHTTPClientTransport(new URL(connection.url), {
		fetch: limited,
		requestInit: { headers: connection.headers },
		reconnectionOptions: { maxRetries: 1, initialReconnectionDelay: 200, maxReconnectionDelay: 1_000, reconnectionDelayGrowFactor: 2 },
	});
	await client.connect(transport, { timeout: 10_000 });
	return client;
}

/** Calls tools of MCP servers (Streamable HTTP) through registered connections. */
export function createMcpExecutor({ connections }: Pick<SimulatorDependencies, "connections">, sessions: McpSessions, workspaceId: string): ToolExecutor {
	return {
		async execute({ binding, args, signal, timeoutMs }) {
			const name = binding.connection ?? "";
			const connection = await connections.openConnection(workspaceId, name);
			if (connection.kind !== "mcp") throw new AppError("precondition", `The connection “${name}” is not an MCP connection.`, { reason: "connection-kind" });
			try {
				const result = await sessions.use(`${workspaceId}/${name}`, connection, (client) =>
					client.callTool({ name: binding.tool ?? "", arguments: args }, undefined, { timeout: timeoutMs, maxTotalTimeout: timeoutMs, signal }),
				);
				return readResult(result as CallResult);
			} catch (error) {
				if (!(error instanceof McpError)) throw connectionError(name, error);
				if (error.code === REQUEST_TIMED_OUT) throw new AppError("timeout", `The tool did not answer within ${timeoutMs} ms.`, { reason: "tool-timeout" });
				throw new AppError("bad-input", error.message.replace(/^MCP error -?\d+: /, "").slice(0, 500), { reason: "tool-refused" });
			}
		},
	};
}

interface CallResult {
	structuredContent?: unknown;
	content?: unknown;
	isError?: unknown;
}

/** Structured content where there is some, else the texts, read as JSON where they are. */
function readResult(result: CallResult): unknown {
	const items = Array.isArray(result.content) ? (result.content as { type?: unknown; text?: unknown }[]) : [];
	const text = items.flatMap((item) => (item.type === "text" && typeof item.text === "string" ? [item.text] : [])).join("\n");
	if (text.length > MAX_BYTES) throw new AppError("upstream", "The tool's answer is too large.", { reason: "tool-answer-too-large" });
	if (result.isError) throw new AppError("bad-input", text.slice(0, 500) || "The tool reported an error.", { reason: "tool-refused" });
	if (result.structuredContent !== undefined) return result.structuredContent;
	try {
		return JSON.parse(text);
	} catch {
		return { text };
	}
}
