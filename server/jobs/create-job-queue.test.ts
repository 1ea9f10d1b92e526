import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "@/server/db/testing";
import type { JobDefinition, JobQueue } from "./contract";
import { createJobQueue } from "./create-job-queue";

const job = (name: string): JobDefinition<{ id: string }> => ({ name, schema: z.object({ id: z.string() }), concurrency: 1, retryLimit: 3 });

describe("the queue", () => {
	let database: TestDatabase;
	const open: JobQueue[] = [];
	const queue = () => {
		const made = createJobQueue(database.url);
		open.push(made);
		return made;
	};
	beforeAll(async () => {
		database = await createTestDatabase();
	});
	afterAll(async () => {
		await Promise.all(open.map((one) => one.stop()));
		await database.drop();
	});

	it("hands a job to a worker in another process's connection, once", async () => {
		const seen: string[] = [];
		const definition = job("simple");
		await queue().work(definition, async ({ id }) => {
			seen.push(id);
		});
		await queue().send(definition, { id: "a" });
		await vi.waitFor(() => expect(seen).toEqual(["a"]), { timeout: 10_000 });
	});

	it("keeps one waiting job per singleton key, and all jobs without one", async () => {
		const definition = job("singleton");
		const producer = queue();
		await producer.send(definition, { id: "1" }, { singletonKey: "k" });
		await producer.send(definition, { id: "2" }, { singletonKey: "k" });
		await producer.send(definition, { id: "3" });
		await producer.send(definition, { id: "4" });
		const seen: string[] = [];
		await producer.work(definition, async ({ id }) => {
			seen.push(id);
		});
		await vi.waitFor(() => expect(seen.sort((a, b) => a.localeCompare(b))).toEqual(["1", "3", "4"]), { timeout: 10_000 });
	});

	it("tries a failed job again", async () => {
		const definition = job("retry");
		let attempts = 0;
		const both = queue();
		await both.work(definition, async () => {
			attempts++;
			if (attempts === 1) throw new Error("first time");
		});
		await both.send(definition, { id: "x" });
		await vi.waitFor(() => expect(attempts).toBe(2), { timeout: 15_000 });
	});

	it("makes many queues at once, also from several processes' connections", async () => {
		const names = Array.from({ length: 8 }, (_, index) => job(`many-${index}`));
		const done = await Promise.all(
			[queue(), queue(), queue()].flatMap((one) => names.map((definition) => one.send(definition, { id: "x" }).then(() => "sent"))),
		);
		expect(done).toEqual(Array(24).fill("sent"));
	});

	it("refuses a payload that is not valid before it is queued", async () => {
		await expect(queue().send(job("invalid"), { id: 5 } as unknown as { id: string })).rejects.toThrow();
	});

	it("takes over the job of a process that was killed", async () => {
		const definition = job("killed");
		await queue().send(definition, { id: "victim" });
		const child = spawn(
			process.execPath,
			["--import", "tsx", fileURLToPath(new URL("./testing/hang-on-job.ts", import.meta.url)), database.url, definition.name],
			{
				stdio: ["ignore", "pipe", "inherit"],
			},
		);
		await once(child.stdout, "data");
		child.kill("SIGKILL");
		await once(child, "exit");
		const seen: string[] = [];
		await queue().work(definition, async ({ id }) => {
			seen.push(id);
		});
		await vi.waitFor(() => expect(seen).toEqual(["victim"]), { timeout: 20_000 });
		const client = new pg.Client({ connectionString: database.url });
		await client.connect();
		const { rows } = await client.query<{ n: number }>("select count(*)::int as n from pgboss.job where name = $1", [definition.name]);
		await client.end();
		expect(rows[0]?.n).toBe(1);
	});

	it("aborts what runs when it stops, and another worker does it", async () => {
		const definition = job("stopped");
		const first = queue();
		const started = new Promise<void>((resolve) => {
			void first.work(definition, async (_, signal) => {
				resolve();
				await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
			});
		});
		await first.send(definition, { id: "s" });
		await started;
		await first.stop();
		const seen: string[] = [];
		await queue().work(definition, async ({ id }) => {
			seen.push(id);
		});
		await vi.waitFor(() => expect(seen).toEqual(["s"]), { timeout: 20_000 });
	});
});
