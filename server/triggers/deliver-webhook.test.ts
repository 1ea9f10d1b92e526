import { createHmac } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { setEnvironment } from "@/server/kernel/env";
import { closeDispatchers } from "@/server/models";
import { deliverWebhook, signBody } from "./deliver-webhook";
import { contentOf, createTriggerWorld, maya, type TriggerWorld } from "./testing/trigger-world";

const SECRET = "a secret of the receiver";
const received: { path: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
const elsewhere: string[] = [];
/** What the receiver answers, one after another; 200 when there is nothing left. */
let answers: (number | "hang-up" | "redirect")[] = [];
let server: http.Server;
let base: string;
let world: TriggerWorld;
let ws: string;

beforeAll(async () => {
	setEnvironment({ STUDIO_SECRET: "0123456789abcdef0123456789abcdef-hooks" });
	server = http.createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		if (request.url === "/elsewhere") elsewhere.push(body);
		else received.push({ path: request.url ?? "", headers: request.headers, body });
		const answer = answers.shift() ?? 200;
		if (answer === "hang-up") return void request.socket.destroy();
		if (answer === "redirect") return void response.writeHead(307, { location: `${base}/elsewhere` }).end();
		response.writeHead(answer, { "content-type": "text/plain" }).end("a secret of the receiver's network");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	world = await createTriggerWorld();
});
afterAll(async () => {
	await closeDispatchers();
	server.close();
	await world.drop();
});
beforeEach(async () => {
	ws = await world.workspace();
	received.length = 0;
	answers = [];
	world.state.sent = [];
});

const webhook = (path = "/hook", allowPrivate = true) => contentOf("evolution-stopped", { type: "call-webhook", url: `${base}${path}`, allowPrivate });
const secret = { kind: "set" as const, value: SECRET };

async function fire() {
	await world.emit(ws, { type: "evolution.stopped", evolutionId: "evo_1" });
	await world.deliver();
}

/** Works the queue off as a worker would, without waiting; returns the pauses that it asked for. */
async function work(): Promise<number[]> {
	const pauses: number[] = [];
	for (let job = world.state.sent.shift(); job; job = world.state.sent.shift()) {
		if (job.startAfterMs !== undefined) pauses.push(job.startAfterMs);
		await deliverWebhook(world.deps, (job.payload as { deliveryId: string }).deliveryId, new AbortController().signal);
	}
	return pauses;
}
const deliveryNow = async () => (await world.decisions(ws)).at(-1)?.delivery;

it("signs what it sends, with the time", () => {
	const at = new Date("2026-11-30T12:00:00.900Z");
	const expected = createHmac("sha256", "k").update('1796040000.{"a":1}').digest("hex");
	expect(signBody("k", '{"a":1}', at)).toBe(`t=1796040000,v1=${expected}`);
});

it("calls the receiver with the event, signed with a secret that is never told", async () => {
	await world.save(ws, webhook(), { secret });
	await fire();
	expect(await work()).toEqual([]);
	expect(received).toHaveLength(1);
	const { headers, body } = received[0] as (typeof received)[number];
	const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["studio-signature"])) ?? [];
	expect(signature).toBe(createHmac("sha256", SECRET).update(`${seconds}.${body}`).digest("hex"));
	const [firing] = await world.decisions(ws);
	expect(JSON.parse(body)).toMatchObject({ id: firing?.id, event: "evolution-stopped", trigger: { name: "Mine", version: 1 }, facts: { strikes: 2 } });
	expect(headers["studio-delivery"]).toBe(firing?.delivery?.id);
	expect(await deliveryNow()).toMatchObject({ status: "delivered", attempts: 1, answered: 200, error: null });
	const told = JSON.stringify([await world.triggers.list(ws), await world.decisions(ws), await world.workspaces.queryAudit(ws, {}, { page: 1, pageSize: 50 })]);
	expect(told).not.toContain(SECRET);
	expect(told).not.toContain("receiver's network");
	const rows = await world.db.webhookDelivery.findMany({ where: { workspaceId: ws } });
	expect(JSON.stringify(rows)).not.toContain(SECRET);
	expect(rows[0]?.sealedSecret).toBeNull();
});

it("tries again with growing pauses until it arrives, always with the same body", async () => {
	await world.save(ws, webhook(), { secret });
	answers = [500, "hang-up", 429, 503];
	await fire();
	expect(await work()).toEqual([10_000, 60_000, 300_000, 1_800_000]);
	expect(new Set(received.map((one) => one.body)).size).toBe(1);
	expect(await deliveryNow()).toMatchObject({ status: "delivered", attempts: 5 });
});

it("gives up in the end, and at once where the answer is final", async () => {
	await world.save(ws, webhook(), { secret });
	answers = [500, 500, 500, 500, 500, 500];
	await fire();
	expect(await work()).toHaveLength(5);
	expect(await deliveryNow()).toMatchObject({ status: "failed", attempts: 6, answered: 500, error: { reason: "webhook-status", params: { status: 500 } } });
	answers = [404];
	await fire();
	expect(await work()).toEqual([]);
	expect(await deliveryNow()).toMatchObject({ status: "failed", attempts: 1, answered: 404 });
});

it("never follows a redirect to another place", async () => {
	await world.save(ws, webhook(), { secret });
	answers = Array.from({ length: 6 }, () => "redirect" as const);
	await fire();
	await work();
	expect(elsewhere).toEqual([]);
	expect(await deliveryNow()).toMatchObject({ status: "failed", attempts: 1, answered: 307 });
});

it("refuses a private address when it is saved, and again when the socket is opened", async () => {
	await expect(world.save(ws, webhook("/hook", false), { secret })).rejects.toMatchObject({ reason: "private-address" });
	await world.save(ws, webhook(), { secret });
	await fire();
	// As if the name resolved to another address since.
	await world.db.webhookDelivery.updateMany({ where: { workspaceId: ws }, data: { allowPrivate: false } });
	expect(await work()).toEqual([]);
	expect(received).toEqual([]);
	expect(await deliveryNow()).toMatchObject({ status: "failed", error: { reason: "private-address" } });
});

it("keeps its secret while the host stays, and asks for it again elsewhere", async () => {
	await expect(world.save(ws, webhook())).rejects.toMatchObject({ reason: "webhook-secret-missing" });
	await expect(world.save(ws, webhook(), { secret: { kind: "set", value: "short" } })).rejects.toThrow();
	const { id } = await world.save(ws, webhook(), { secret });
	await world.save(ws, webhook("/other"), { id, version: 1 });
	const moved = contentOf("evolution-stopped", { type: "call-webhook", url: "https://example.org/hook", allowPrivate: false });
	await expect(world.save(ws, moved, { id, version: 2 })).rejects.toMatchObject({ reason: "webhook-secret-missing" });
	await fire();
	await work();
	expect(received.map((one) => one.path)).toEqual(["/other"]);
	await world.triggers.delete({ workspaceId: ws, actor: maya, id, version: 2 });
	expect((await world.db.trigger.findUnique({ where: { id } }))?.sealedSecret).toBeNull();
});
