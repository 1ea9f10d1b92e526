import fs from "node:fs";
import { expect, it } from "vitest";
import { bodyTooLarge, MAX_BODY_MB } from "./body-limit";

it.each([
	["nothing said", {}, null],
	["what fits exactly", { "content-length": String(MAX_BODY_MB * 2 ** 20) }, null],
	["no number", { "content-length": "many" }, null],
	["one byte more", { "content-length": String(MAX_BODY_MB * 2 ** 20 + 1) }, { size: 65, limit: 64 }],
	["140 MB", { "content-length": String(140 * 2 ** 20) }, { size: 140, limit: 64 }],
])("%s", (_name, headers, params) => {
	const refused = bodyTooLarge(new Headers(headers));
	expect(refused?.params ?? null).toEqual(params);
	if (refused) expect(refused).toMatchObject({ reason: "body-too-large", fix: expect.stringContaining("import-cases") });
});

it("is what the web server cuts at", () => {
	expect(fs.readFileSync("next.config.ts", "utf8")).toContain(`proxyClientMaxBodySize: "${MAX_BODY_MB}mb"`);
});
