// A process of its own for tests: an MCP server (official SDK, Streamable HTTP) at /mcp and plain JSON tools at /tools/<name>.
import http from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

function makeServer() {
	const server = new McpServer({ name: "test-catalogue", version: "1.0.0" });
	server.registerTool(
		"find_book",
		{ description: "Finds a book.", inputSchema: { title: z.string() }, outputSchema: { title: z.string(), copies: z.number() } },
		async ({ title }) => {
			if (title === "none") return { isError: true, content: [{ type: "text", text: "No such book." }] };
			const found = { title, copies: 3 };
			return { content: [{ type: "text", text: JSON.stringify(found) }], structuredContent: found };
		},
	);
	server.registerTool("say", { description: "Says a text.", inputSchema: { text: z.string() } }, async ({ text }) => ({ content: [{ type: "text", text }] }));
	server.registerTool("sleep", { description: "Never answers.", inputSchema: {} }, () => new Promise(() => undefined));
	server.registerTool("huge", { description: "A huge answer.", inputSchema: {} }, async () => ({ content: [{ type: "text", text: "x".repeat(3 << 20) }] }));
	return server;
}

async function bodyOf(request) {
	let text = "";
	for await (const chunk of request) text += chunk;
	return text === "" ? undefined : JSON.parse(text);
}

async function plain(request, response, url) {
	const json = (status, value) =>
		response.writeHead(status, { "content-type": "application/json" }).end(typeof value === "string" ? value : JSON.stringify(value));
	const args = request.method === "GET" ? Object.fromEntries(url.searchParams) : await bodyOf(request);
	const name = url.pathname.split("/").pop();
	if (name === "echo") return json(200, { method: request.method, path: url.pathname, args, key: request.headers["x-key"] ?? null });
	if (name === "forbidden") return json(403, { error: "no" });
	if (name === "broken") return json(500, { error: "oops" });
	if (name === "refuse") return json(422, { error: "bad title" });
	if (name === "half") return json(200, '{"title": "Du');
	if (name === "deep") return json(200, `${"[".repeat(100_000)}${"]".repeat(100_000)}`);
	if (name === "huge") return json(200, { text: "x".repeat(1 << 20) });
	if (name === "redirect") return response.writeHead(302, { location: "http://169.254.169.254/" }).end();
	if (name === "hang") return undefined;
	return json(404, { error: "unknown tool" });
}

/** Of the endless answers: how many began, how many still run, how much the last one sent. */
const endless = { begun: 0, running: 0, bytes: 0 };

/** A line that never ends, written for as long as anyone reads it. */
function drown(response) {
	endless.begun++;
	endless.running++;
	endless.bytes = 0;
	response.on("close", () => endless.running--);
	response.writeHead(200, { "content-type": "text/event-stream" });
	const unit = `data: ${"x".repeat(60_000)}`;
	const pour = () => {
		while (!response.destroyed && response.write(unit)) endless.bytes += unit.length;
	};
	response.on("drain", pour);
	pour();
}

/** An MCP server without manners: a tools/call, or the stream of its own messages, is an endless line, or a stream that says nothing. */
async function evil(request, response, url) {
	if (url.searchParams.has("counts")) return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(endless));
	if (request.method === "GET") return drown(response);
	const { id, method, params } = (await bodyOf(request)) ?? {};
	const answer = (result) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
	if (method === "initialize")
		return answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "evil", version: "1" } });
	if (id === undefined) return response.writeHead(202).end();
	if (params.name === "polite") return answer({ content: [{ type: "text", text: "hello" }] });
	if (params.name === "endless") return drown(response);
	endless.running++;
	response.on("close", () => endless.running--);
	return response.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
}

const server = http.createServer(async (request, response) => {
	const url = new URL(request.url, "http://localhost");
	if (url.pathname === "/evil") return evil(request, response, url);
	if (url.pathname !== "/mcp") return plain(request, response, url);
	if (request.headers["x-key"] !== "open sesame") return response.writeHead(401).end();
	const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: url.searchParams.get("json") === "1" });
	response.on("close", () => transport.close());
	await makeServer().connect(transport);
	await transport.handleRequest(request, response, request.method === "POST" ? await bodyOf(request) : undefined);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.on("disconnect", () => process.exit());
