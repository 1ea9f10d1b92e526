import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import type { ToolExecutor } from "@/server/agent/contract";
import { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import { isDeeper, parseJson } from "@/server/kernel/json";
import { boundedFetch } from "./mcp-fetch";
import type { SimulatorDependencies, ToolConnection } from "./ports";
import { connectionError, tooLarge } from "./read-limited";

const MAX_BYTES = 1 << 20;
const REQUEST_TIMED_OUT = -32001;
const CONNECTION_CLOSED = -32000;
/** Ours, of the range that JSON-RPC leaves to implementations. */
const ANSWER_TOO_LARGE = -32098;

interface Session {
	version: string;
	client: Promise<Client>;
	/** Calls in flight; a session that was given up ends with its last one. */
	calls: number;
}

/** Keeps one session for each connection, opened on first use and opened again after it broke. */
export class McpSessions {
	private readonly sessions = new Map<string, Session>();

	constructor(private readonly fetchFor: SimulatorDependencies["fetchFor"]) {}

	async use<T>(key: string, connection: ToolConnection, work: (client: Client) => Promise<T>): Promise<T> {
		const session = this.open(key, connection);
		session.calls++;
		try {
			return await work(await session.client);
		} catch (error) {
			if (breaksSession(error)) this.giveUp(key, session);
			throw error;
		} finally {
			session.calls--;
			if (session.calls === 0 && this.sessions.get(key) !== session) await end(session);
		}
	}

	async close(): Promise<void> {
		const sessions = [...this.sessions.values()];
		this.sessions.clear();
		await Promise.all(sessions.map(end));
	}

	private open(key: string, connection: ToolConnection): Session {
		const version = fingerprint(connection);
		const known = this.sessions.get(key);
		if (known?.version === version) return known;
		if (known) this.giveUp(key, known);
		const session = { version, client: connect(connection, this.fetchFor(connection.allowPrivate)), calls: 0 };
		this.sessions.set(key, session);
		return session;
	}

	/** The next call opens another session; those in flight may still be answered. */
	private giveUp(key: string, session: Session): void {
		if (this.sessions.get(key) === session) this.sessions.delete(key);
		if (session.calls === 0) void end(session);
	}
}

const end = ({ client }: Session): Promise<void> => client.then((open) => open.close()).catch(() => undefined);

/** Protocol errors are answers; a server that says nothing, or too much, is not asked again on the same session. */
const breaksSession = (error: unknown): boolean =>
	!(error instanceof McpError) || [REQUEST_TIMED_OUT, CONNECTION_CLOSED, ANSWER_TOO_LARGE].includes(error.code);

async function connect(connection: ToolConnection, guarded: typeof fetch): Promise<Client> {
	const client = new Client({ name: "harness-evolution-studio", version: "1.0.0" });
	const transport = new StreamableHTTPClientTransport(new URL(connection.url), {
		fetch: boundedFetch({
			guarded,
			maxBytes: MAX_BYTES,
			// The transport says of a stream that broke only that it did: the request is answered here, the others go on.
			onTooLarge: (id) => transport.onmessage?.({ jsonrpc: "2.0", id, error: { code: ANSWER_TOO_LARGE, message: "answer too large" } }),
		}),
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
				if (error.code === ANSWER_TOO_LARGE) throw tooLarge(MAX_BYTES);
				if (error.code === CONNECTION_CLOSED) throw connectionError(name, error);
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
	if (isDeeper(result.structuredContent)) throw new AppError("upstream", "The tool's answer is nested too deeply.", { reason: "tool-malformed" });
	if (result.structuredContent !== undefined) return result.structuredContent;
	try {
		return parseJson(text);
	} catch {
		return { text };
	}
}
