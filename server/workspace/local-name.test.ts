import { expect, it } from "vitest";
import english from "@/messages/en/names.json";
import chinese from "@/messages/zh/names.json";
import { SERVICE_ACTORS } from "./contract";
import { localName } from "./local-name";
import { OWN_WORDS, studioName } from "./studio-names.contract";

const fill = (text: string, values: Record<string, string> = {}) => text.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? "");

const services = Object.values(SERVICE_ACTORS).map(({ name }) => name);

it.each<string>([...services, "First evolution", OWN_WORDS, "Loop, seed 3", "Loop, control (shuffled-findings), seed 12"])(
	"knows %s in both languages",
	(name) => {
		const known = studioName(name);
		// What is stored is the English name: the table of names and the studio's own constants must not drift apart.
		expect(known && fill(english[known.id], known.values)).toBe(name);
		expect(localName(name)).toEqual({ en: name, zh: known && fill(chinese[known.id], known.values) });
	},
);

it("fills what a name carries", () => {
	expect(localName("Loop, seed 3")).toEqual({ en: "Loop, seed 3", zh: "循环，种子 3" });
	expect(localName("Loop, control (shuffled-findings), seed 12")).toMatchObject({ zh: expect.stringMatching(/shuffled-findings.*12$/) });
});

it.each(["周敏", "Daniel Okafor", "Loop, seed x", "constructor", ""])("leaves a person's %j alone", (name) => {
	expect(localName(name)).toBe(name);
});
