import { describe, expect, it } from "vitest";
import { createRandom } from "@/server/kernel/random";
import { charNgrams, jaccard } from "@/server/kernel/text";
import { groupNearDuplicates } from "./group-near-duplicates";

describe("groupNearDuplicates", () => {
	it.each([7, 8, 9])("groups exactly as a comparison of all with all does (seed %i)", async (seed) => {
		const random = createRandom(seed);
		const words = "这个 那个 面膜 牙刷 多少钱 什么时候 发货 有货 吗 呢 优惠 券 几天 到 退 换".split(" ");
		const texts = Array.from({ length: 300 }, () => Array.from({ length: 3 + random.int(5) }, () => random.pick(words)).join(""));
		const sets = texts.map((text) => charNgrams(text, 3));
		const expected = texts.map((_, i) => i);
		for (let pass = 0; pass < 20; pass++)
			for (let i = 0; i < texts.length; i++)
				for (let j = 0; j < i; j++)
					if (jaccard(sets[i] ?? new Set(), sets[j] ?? new Set()) > 0.6) expected[i] = expected[j] = Math.min(expected[i] ?? 0, expected[j] ?? 0);
		expect(await groupNearDuplicates(texts)).toEqual(expected);
		expect(new Set(expected).size).toBeLessThan(300);
	});
	it("lets others have their turn meanwhile", async () => {
		let turns = 0;
		const others = setInterval(() => turns++, 1);
		const random = createRandom(3);
		const word = () => Array.from({ length: 4 }, () => "abcdefghij"[random.int(10)]).join("");
		await groupNearDuplicates(Array.from({ length: 3_000 }, () => Array.from({ length: 10 }, word).join(" ")));
		clearInterval(others);
		expect(turns).toBeGreaterThan(3);
	});
	it("stays usable on 20,000 rows from one template", async () => {
		const roots = await groupNearDuplicates(Array.from({ length: 20_000 }, (_, i) => `filler row ${i} of the file`));
		expect(new Set(roots).size).toBeLessThan(200);
	});
});
