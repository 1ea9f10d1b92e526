/*
 * A server process that speaks the OpenAI chat protocol, well or badly as the name of the model says. Tests talk to it over
 * real HTTP. `GET /log` returns and clears what was asked. The model `play` plays the studio's roles (play-roles.mjs) by the
 * script that `POST /script` sets: `{ key?, policy?, judge?, diagnosis?, editing? }`, each a mode of the role or of the wire.
 */
import http from "node:http";
import { playRole } from "./play-roles.mjs";

const log = [];
const seen = new Map();
let script = {};

const reply = (message, extra = {}) => ({
	id: "cmpl-1",
	object: "chat.completion",
	created: 1,
	model: "test",
	choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: null, ...message } }],
	usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, completion_tokens_details: { reasoning_tokens: 3 } },
	...extra,
});
const call = (name, args) => ({ tool_calls: [{ id: "call_a", type: "function", function: { name, arguments: args } }] });

function json(response, value, status = 200, headers = {}) {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify(value));
}
const html = (response, status = 200) => {
	response.writeHead(status, { "content-type": "text/html" });
	response.end("<!doctype html><html><body>Log in to the hotel network</body></html>");
};
const error = (response, status, message, headers) => json(response, { error: { message, type: "x" } }, status, headers);

const modes = {
	ok: (r) => json(r, reply({ content: "ready" })),
	tool: (r, body) => json(r, reply(body.tools ? call(body.tools[0].function.name, '{"word":"ready"}') : { content: "ready" })),
	reasoning: (r) => json(r, reply({ content: "ready", reasoning_content: "let me think" })),
	thinking: (r) => json(r, reply({ content: "<think>\nlet me think\n</think>\n\nready" })),
	parts: (r) =>
		json(
			r,
			reply({
				content: [
					{ type: "text", text: "rea" },
					{ type: "text", text: "dy" },
				],
			}),
		),
	badargs: (r) => json(r, reply(call("look", '{"id": "p04'))),
	listargs: (r) => json(r, reply(call("look", "[1]"))),
	objectargs: (r) => json(r, reply(call("look", { id: "p04" }))),
	unknown: (r) => json(r, reply(call("rm_rf", "{}"))),
	empty: (r) => json(r, reply({ content: "" })),
	cut: (r) => json(r, { ...reply({ content: "rea" }), choices: [{ finish_reason: "length", message: { content: "rea" } }] }),
	html: (r) => html(r),
	halfjson: (r) => r.end('{"choices":[{"message":{"content":"re'),
	nomessage: (r) => json(r, { choices: [{ message: { content: { a: 1 }, tool_calls: "nope" }, finish_reason: "stop" }] }),
	nocalls: (r) => json(r, { choices: [{ message: { content: "ready", tool_calls: "nope" }, finish_reason: "stop" }] }),
	nochoice: (r) => json(r, { object: "list", data: [] }),
	errorbody: (r) => json(r, { error: { message: "the model crashed" } }),
	refused: (r, _body, request) => error(r, 401, `Incorrect API key provided: ${request.headers.authorization?.slice(7)}.`),
	// What it lists and yet does not have: a model that was unloaded.
	unloaded: (r) => json(r, { error: { message: "Not here.", type: "invalid_request_error", code: "model_not_found" } }, 404),
	missing: (r) => error(r, 404, "The model `missing` does not exist."),
	notools: (r, body) => (body.tools ? error(r, 400, "tools are not supported") : json(r, reply({ content: "ready" }))),
	limited: (r) => error(r, 429, "slow down", { "retry-after-ms": "5" }),
	limitedlong: (r) => error(r, 429, "come back tomorrow", { "retry-after": "86400" }),
	broken: (r) => error(r, 500, "oops", { "retry-after-ms": "1" }),
	badgateway: (r) => html(r, 502),
	redirect: (r) => json(r, {}, 302, { location: "http://169.254.169.254/latest" }),
	silent: () => undefined,
	drip: (r) => {
		r.writeHead(200, { "content-type": "application/json" });
		const timer = setInterval(() => r.write(" "), 20);
		r.on("close", () => clearInterval(timer));
	},
	endless: (r) => {
		r.writeHead(200, { "content-type": "application/json" });
		const chunk = `"${"a".repeat(65_000)}"`;
		const pump = () => {
			while (!r.destroyed && r.write(chunk));
			if (!r.destroyed) r.once("drain", pump);
		};
		pump();
	},
	reset: (r) => r.socket.destroy(),
	play(r, body, request, text) {
		if (script.key && request.headers.authorization !== `Bearer ${script.key}`) return modes.refused(r, body, request);
		const { mode, message } = playRole(script, body);
		if (message === null) return answerAs(mode, r, body, request, text);
		const finish_reason = message.tool_calls ? "tool_calls" : message.content.length > 100_000 ? "length" : "stop";
		const { usage, ...rest } = reply({});
		return json(r, { ...rest, usage, choices: [{ index: 0, finish_reason, message: { role: "assistant", content: null, ...message } }] });
	},
};

/** `flaky:halfjson` fails the first time and is fine afterwards. */
function answerAs(name, response, body, request, text) {
	const [first, then] = name.split(":");
	if (first !== "flaky") return (modes[first] ?? modes.missing)(response, body, request, text);
	if (!seen.has(text)) {
		seen.set(text, true);
		return (modes[then] ?? modes.missing)(response, body, request, text);
	}
	if (body.model === "play") return json(response, reply(playRole({}, body).message));
	return modes.ok(response, body);
}

const server = http.createServer((request, response) => {
	let text = "";
	request.on("data", (chunk) => (text += chunk));
	request.on("end", () => {
		if (request.url === "/script") {
			script = JSON.parse(text);
			return json(response, {});
		}
		if (request.url === "/log") return json(response, log.splice(0));
		// A server without a list of its models.
		if (request.url.startsWith("/unlisted/")) {
			if (request.url !== "/unlisted/chat/completions") return html(response, 404);
			return error(response, 404, `The model \`${JSON.parse(text).model}\` does not exist.`);
		}
		if (request.url === "/v1/models") return json(response, { data: [{ id: "ok" }, { id: "tool" }, { id: "unloaded" }] });
		if (request.url !== "/v1/chat/completions") return html(response, 404);
		const body = JSON.parse(text);
		log.push({ body, headers: request.headers });
		answerAs(body.model, response, body, request, text);
	});
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port));
process.on("disconnect", () => process.exit());
