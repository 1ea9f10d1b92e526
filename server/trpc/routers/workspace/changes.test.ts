import { EventEmitter, on } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import type { Services } from "@/server/composition";
import { createCallerFactory } from "../../init";
import { appRouter } from "../../root";

const events = new EventEmitter();
const stop = new AbortController();
afterEach(() => stop.abort());

/** A notifier as the real one behaves: yields once at once, then after each change of its key. */
async function* changes(keys: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
	yield;
	for await (const [key] of on(events, "change", { signal })) if (keys.includes(key as string)) yield;
}

const services = {
	notifier: { changes },
	auth: { findMembership: async (_user: string, slug: string) => (slug === "mine" ? { id: "ws_mine", slug, roles: ["viewer"] } : null) },
} as unknown as Services;
const caller = createCallerFactory(appRouter)({ services, user: { id: "u", name: "U", email: "u@example.org", demo: false } }, { signal: stop.signal });

describe("workspace.changes", () => {
	it("says every topic at the start, then only the one that changed, under the workspace's own key", async () => {
		const stream = await caller.workspace.changes({ workspace: "mine", topics: ["evolution", "run:run_1"] });
		const iterator = stream[Symbol.asyncIterator]();
		const next = async () => {
			const step = await iterator.next();
			if (step.done || !step.value) throw new Error("the stream ended");
			// A caller without HTTP gets the envelope of `tracked` as it is: id, data.
			const [, data] = step.value as unknown as [string, { topics: string[] }];
			return data.topics;
		};
		const heard = new Set<string>();
		while (heard.size < 2) for (const topic of await next()) heard.add(topic);
		events.emit("change", "evolution:ws_other");
		events.emit("change", "run:run_1");
		expect(await next()).toEqual(["run:run_1"]);
		events.emit("change", "evolution:ws_mine");
		expect(await next()).toEqual(["evolution"]);
	});

	it.each([["evolution:ws_other"], ["outbox"], ["run:"], ["run:a b"], ["try:1"]])("refuses the topic %s", async (topic) => {
		await expect(caller.workspace.changes({ workspace: "mine", topics: [topic] })).rejects.toMatchObject({ code: "BAD_REQUEST" });
	});

	it("is closed to who does not belong to the workspace", async () => {
		await expect(caller.workspace.changes({ workspace: "other", topics: ["evolution"] })).rejects.toMatchObject({ code: "NOT_FOUND" });
	});
});
