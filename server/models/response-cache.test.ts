import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createModelService } from "./index";
import { ask, createModelWorld, type ModelWorld, never } from "./testing/model-world";

let world: ModelWorld;
beforeAll(async () => {
	world = await createModelWorld();
});
afterAll(() => world.close());

describe("the response cache", () => {
	it("answers a deterministic request once asked, also in another process, and any seed", async () => {
		const endpoint = await world.make("ok");
		const model = await world.service.provider.forEndpoint(endpoint.id);
		const first = await model.complete({ ...ask, seed: 1 }, never);
		await world.server.takeLog();
		expect(await model.complete({ ...ask, seed: 2 }, never)).toMatchObject({ content: "ready", cached: true, requestHash: first.requestHash });
		await world.service.close();
		const elsewhere = createModelService(world.database.db);
		const same = await elsewhere.provider.forEndpoint(endpoint.id);
		const many = await Promise.all([same.complete(ask, never), same.complete(ask, never), same.complete({ ...ask, system: "Other" }, never)]);
		expect(many.map((answer) => answer.cached)).toEqual([true, true, false]);
		expect(await world.server.takeLog()).toHaveLength(1);
		await elsewhere.close();
	});

	it("asks again for what is stored in another form", async () => {
		const endpoint = await world.make("ok");
		const model = await world.service.provider.forEndpoint(endpoint.id);
		const { requestHash } = await model.complete({ ...ask, system: "Stored." }, never);
		await world.service.close();
		await world.database.db.responseCache.updateMany({ where: { requestHash }, data: { response: { text: "an older form" } } });
		const later = createModelService(world.database.db);
		expect(await (await later.provider.forEndpoint(endpoint.id)).complete({ ...ask, system: "Stored." }, never)).toMatchObject({
			content: "ready",
			cached: false,
		});
		await later.close();
	});

	it("is passed by on request, with randomness, and for what was cut off", async () => {
		const model = await world.modelOf("ok");
		const cut = await world.modelOf("cut");
		await world.server.takeLog();
		for (const request of [
			{ ...ask, useCache: false },
			{ ...ask, temperature: 0.7 },
		])
			for (let i = 0; i < 2; i++) await model.complete(request, never);
		for (let i = 0; i < 2; i++) await cut.complete(ask, never);
		expect(await world.server.takeLog()).toHaveLength(6);
	});
});
