import { describe, expect, it } from "vitest";
import type { DiagnosisCase } from "../contract";
import { clusterTemplates, wordingOf } from "./cluster-cases";
import { replyGeneraliser } from "./generalise-reply";
import { readComponents } from "./read-components";
import { failure, LAMP_SHOP } from "./testing";

const PARCELS =
	"tool:\n  name: find_parcel\n  description: Looks a parcel up.\n  inputSchema: { type: object, properties: { parcelId: { type: string, description: number of the parcel } }, additionalProperties: false }\n  outputSchema: { type: object, properties: { parcelId: { type: string, description: number of your parcel }, place: { type: string, description: where the parcel is }, state: { type: string, description: state of the parcel }, lateDays: { type: integer, description: days that it is late }, returnDays: { type: integer, description: days to send it back }, avoid: { type: string, description: what it is not meant for } } }\nbinding: { kind: simulator, handler: find_parcel }\ntimeoutMs: 1000\nretry: { attempts: 1 }\n";
const components = readComponents({ ...LAMP_SHOP, "tools/find_parcel.yaml": PARCELS });
if (!components) throw new Error("the invented harness does not validate");

const saw = (result: Record<string, unknown>): Partial<DiagnosisCase> => ({
	toolCalls: [{ name: "find_parcel", args: {}, ok: true, result }] as unknown as DiagnosisCase["toolCalls"],
});
const stated = (key: string, value: string): Partial<DiagnosisCase> => ({
	evidence: [{ kind: "fact", ok: false, rule: `the reply states ${key}`, fact: `parcels.x.${key} = ${value}` }],
});

/** The templates of replies that belong together, and the wording that a rule would get. */
function read(rows: [string, string, Partial<DiagnosisCase>?][]) {
	const cases = rows.map(([message, reference, rest], i) => failure(`c${i}`, message, reference, rest));
	const templates = cases.flatMap((c) => replyGeneraliser(cases, components as NonNullable<typeof components>)(c) ?? []);
	return { templates: templates.map((template) => template.text), wording: wordingOf(clusterTemplates(templates)[0] ?? [])?.text };
}

describe("reference replies made general", () => {
	it.each<[string, [string, string, Partial<DiagnosisCase>?][], string[], string | undefined]>([
		[
			"a state is not an id, though an id's description reads like its surroundings",
			[
				["还没收到", "抱歉，您的包裹已打包，还没出库，请联系客服。", saw({ parcelId: "k7001" })],
				["怎么还不来", "抱歉，您的包裹已揽收，还没出库，请联系客服。", saw({ parcelId: "k7002" })],
			],
			["抱歉，您的包裹已打包，还没出库，请联系客服。", "抱歉，您的包裹已揽收，还没出库，请联系客服。"],
			undefined,
		],
		[
			"an id stands for that very id",
			[
				["which number?", "Your parcel number is k7001, thank you.", saw({ parcelId: "k7001" })],
				["number pls", "Your parcel number is k7002, thank you.", saw({ parcelId: "k7002" })],
			],
			["Your parcel number is {{parcelId}}, thank you.", "Your parcel number is {{parcelId}}, thank you."],
			"Your parcel number is {{parcelId}}, thank you.",
		],
		[
			"a value that one reply alone has is a coincidence, and its clause is no rule",
			[
				["where is it", "现在在东港仓库，请您耐心等待。", saw({ place: "东港仓库" })],
				["到哪了", "现在在西山网点，请您耐心等待。"],
			],
			["现在在东港仓库，请您耐心等待。", "现在在西山网点，请您耐心等待。"],
			"请您耐心等待。",
		],
		[
			"two replies show a field; a third without a known value gets it where the clause is else equal",
			[
				["where is it", "现在在东港仓库，请您耐心等待。", saw({ place: "东港仓库" })],
				["到哪了", "现在在西山网点，请您耐心等待。", stated("place", "西山网点")],
				["在哪呢", "现在在北岭驿站，请您耐心等待。"],
			],
			["现在在{{place}}，请您耐心等待。", "现在在{{place}}，请您耐心等待。", "现在在{{place}}，请您耐心等待。"],
			"现在在{{place}}，请您耐心等待。",
		],
		[
			"like stands for like: a number is no place",
			[
				["where is it", "现在在东港仓库，请您耐心等待。", saw({ place: "东港仓库" })],
				["到哪了", "现在在西山网点，请您耐心等待。", saw({ place: "西山网点" })],
				["在哪呢", "现在在17，请您耐心等待。"],
			],
			["现在在{{place}}，请您耐心等待。", "现在在{{place}}，请您耐心等待。", "现在在17，请您耐心等待。"],
			"现在在{{place}}，请您耐心等待。",
		],
		[
			"a number that never varies stays unless its surroundings are what the field is about",
			[
				["invoice?", "You get the invoice within 3 weeks.", saw({ returnDays: 3 })],
				["an invoice please", "You get the invoice within 3 weeks.", saw({ returnDays: 3 })],
			],
			["You get the invoice within 3 weeks.", "You get the invoice within 3 weeks."],
			"You get the invoice within 3 weeks.",
		],
		[
			"a list is said in one breath",
			[
				["能煮面吗", "这款不适合煮面、煮粥。", stated("avoid", '["煮面","煮粥"]')],
				["能装可乐吗", "这款不适合装可乐。", stated("avoid", '["装可乐"]')],
			],
			["这款不适合{{avoid}}。", "这款不适合{{avoid}}。"],
			"这款不适合{{avoid}}。",
		],
	])("%s", (_name, rows, templates, wording) => {
		const result = read(rows);
		expect(result.templates).toEqual(templates);
		if (wording !== undefined) expect(result.wording).toBe(wording);
		else expect(result.wording).not.toMatch(/\{\{/u);
	});
});
