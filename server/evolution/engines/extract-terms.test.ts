import { describe, expect, it } from "vitest";
import { countJoins, discriminativeTerms } from "./extract-terms";

const OTHERS = ["雨伞多少钱", "雨伞有货吗", "雨伞防晒吗", "灯多亮", "灯费电吗", "灯有质保吗"];

function termsOf(messages: string[], references: string[], names = ""): string[] {
	const joins = countJoins([...messages, ...OTHERS, ...references]);
	return discriminativeTerms(
		{ messages, references, others: OTHERS, otherReferences: ["这款现货。"], names, vocabulary: [...messages, ...OTHERS].join("\n"), joins },
		10,
	);
}

describe("trigger terms", () => {
	it("never cuts a word: a character that nearly always follows another does not begin a term", () => {
		const terms = termsOf(["雨伞想改地址", "拍的雨伞想换地址"], ["发货前可以改一次地址。"]);
		expect(terms).toContain("地址");
		expect(terms.filter((term) => term.startsWith("伞"))).toEqual([]);
	});

	it("takes no particle at an edge", () => {
		const terms = termsOf(["便宜点的发票", "贵点的发票"], ["可以开发票。"]);
		expect(terms.filter((term) => /^[的了吗]|[的了吗]$/u.test(term))).toEqual([]);
	});

	it("takes no part of a name, nor a name with one character more", () => {
		const terms = termsOf(["雨伞想改地址", "拍的雨伞想换地址"], ["发货前可以改一次地址。"], "星河雨伞");
		expect(terms.filter((term) => term.includes("雨伞"))).toEqual([]);
	});

	it("keeps English words whole", () => {
		expect(termsOf(["change my address", "new address please"], ["You can change the address once."])).toContain("address");
	});
});
