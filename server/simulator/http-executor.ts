import type { ToolExecutor } from "@/server/agent/contract";
import { AppError } from "@/server/kernel/errors";
import { parseJson } from "@/server/kernel/json";
import type { SimulatorDependencies } from "./ports";
import { connectionError, readLimited } from "./read-limited";

const MAX_BYTES = 256 * 1024;

/**
 * Calls tools over plain HTTP with JSON: POST with the arguments as body, or GET with them as query. The address is the
 * connection's own with the binding's path (default: the tool's name) under it; it never leaves that prefix.
 */
export function createHttpExecutor({ connections, fetchFor }: Pick<SimulatorDependencies, "connections" | "fetchFor">, workspaceId: string): ToolExecutor {
	return {
		async execute({ binding, args, signal, timeoutMs }) {
			const name = binding.connection ?? "";
			const connection = await connections.openConnection(workspaceId, name);
			if (connection.kind !== "http") throw new AppError("precondition", `The connection “${name}” is not an http connection.`, { reason: "connection-kind" });
			const method = binding.method === "GET" ? "GET" : "POST";
			const url = addressOf(connection.url, binding.path ?? `/${encodeURIComponent(binding.tool ?? "")}`);
			if (method === "GET")
				for (const [key, value] of Object.entries(args)) url.searchParams.set(key, typeof value === "string" ? value : JSON.stringify(value));
			const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
			try {
				const response = await fetchFor(connection.allowPrivate)(url, {
					method,
					headers: { accept: "application/json", ...connection.headers, ...(method === "POST" ? { "content-type": "application/json" } : {}) },
					...(method === "POST" ? { body: JSON.stringify(args) } : {}),
					signal: bounded,
				});
				return readAnswer(response.status, await readLimited(response, MAX_BYTES));
			} catch (error) {
				throw connectionError(name, error);
			}
		},
	};
}

function addressOf(base: string, path: string): URL {
	const root = new URL(base);
	const prefix = root.pathname.replace(/\/$/, "");
	const url = new URL(root.origin);
	url.pathname = prefix + path;
	if (url.origin !== root.origin || (prefix !== "" && !url.pathname.startsWith(`${prefix}/`)))
		throw new AppError("bad-input", "The tool's path leaves the connection's address.", { reason: "tool-path-outside" });
	return url;
}

function readAnswer(status: number, text: string): unknown {
	const said = text.replace(/\s+/g, " ").slice(0, 200);
	if (status === 401 || status === 403) throw new AppError("forbidden", "Permission denied.", { reason: "tool-permission-denied" });
	if (status === 429) throw new AppError("rate-limited", "The tool's server asks to slow down.", { reason: "tool-rate-limited" });
	if (status >= 500) throw new AppError("upstream", `The tool's server answered ${status}: ${said}`, { reason: "tool-status" });
	if (status >= 400) throw new AppError("bad-input", `The tool refused (${status}): ${said}`, { reason: "tool-refused" });
	try {
		return parseJson(text);
	} catch {
		throw new AppError("upstream", `The tool's answer is not valid JSON: ${said.slice(0, 60)}`, { reason: "tool-malformed" });
	}
}
