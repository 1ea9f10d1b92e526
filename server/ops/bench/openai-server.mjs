/*
 * The model of the benchmark: speaks the OpenAI chat protocol in a process of its own and plays an agent after a fixed
 * latency. It loads the skill whose name the viewer's message mentions (if `load_skill` is offered), then replies.
 * `GET /count` says how many requests came since the last time. The one that misbehaves is in server/models/testing.
 */
import http from "node:http";

const latencyMs = Number(process.argv[2] ?? 0);
let count = 0;

const completion = (message, finish = "stop") => ({
	id: `cmpl-${count}`,
	object: "chat.completion",
	created: 1,
	model: "bench",
	choices: [{ index: 0, finish_reason: finish, message: { role: "assistant", content: null, ...message } }],
	usage: { prompt_tokens: 400, completion_tokens: 20, total_tokens: 420 },
});
const call = (name, args) => completion({ tool_calls: [{ id: `call_${count}`, type: "function", function: { name, arguments: args } }] }, "tool_calls");

/** The turn that a well-behaved agent would take. */
function play(body) {
	const viewer = body.messages.findLast((message) => message.role === "user")?.content ?? "";
	const loader = body.tools?.find((tool) => tool.function.name === "load_skill");
	const loaded = body.messages.some((message) => message.role === "tool");
	if (loader && !loaded) {
		const names = loader.function.parameters.properties.name.enum;
		const name = names.find((candidate) => viewer.includes(candidate));
		if (name) return call("load_skill", JSON.stringify({ name }));
	}
	return completion({ content: `You asked: ${viewer.slice(0, 60)}` });
}

const json = (response, value, status = 200) => {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(value));
};

const server = http.createServer((request, response) => {
	const chunks = [];
	request.on("data", (chunk) => chunks.push(chunk));
	request.on("end", () => {
		if (request.url === "/count") {
			const now = count;
			count = 0;
			return json(response, { count: now });
		}
		if (request.method !== "POST" || !request.url.endsWith("/chat/completions")) return json(response, { error: { message: "not here" } }, 404);
		const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
		count += 1;
		setTimeout(() => json(response, play(body)), latencyMs);
	});
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
process.on("disconnect", () => process.exit());
