import { expect, it } from "vitest";
import { isDeeper, MAX_JSON_DEPTH, parseJson } from "./json";

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

it("takes what stands as deep as allowed and refuses one level more, however deep", () => {
	expect(isDeeper(parseJson(nested(MAX_JSON_DEPTH)))).toBe(false);
	for (const depth of [MAX_JSON_DEPTH + 1, 100_000]) expect(() => parseJson(`{"a":${nested(depth)}}`)).toThrow(SyntaxError);
	expect(parseJson("null")).toBeNull();
	expect(() => parseJson("{")).toThrow(SyntaxError);
});
