import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { AppError } from "@/server/kernel/errors";
import { advantages } from "./advantages";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "advantages-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function run(text: string) {
	const file = path.join(folder, "rows.json");
	fs.writeFileSync(file, text);
	return advantages(file);
}

it("prints per dimension, sum, batch-normalised and what is dropped", () => {
	const rows = [
		{ group: 1, rewards: { accuracy: 1, effectiveness: 1, skill: 1, tool: null } },
		{ group: 1, rewards: { accuracy: 0, effectiveness: 1, skill: 0 } },
		{ group: "lone", rewards: { accuracy: 1 } },
	];
	const { document } = run(JSON.stringify(rows)) as { document: { rows: { dropped: boolean; sum: number; advantages: object }[] } };
	expect(document).toMatchObject({
		groups: 2,
		dropped: 1,
		rows: [{ group: "1", dropped: false, advantages: { effectiveness: 0, tool: 0 } }, {}, { dropped: true }],
	});
	expect(document.rows[0]?.sum).toBeCloseTo(Math.SQRT2, 5);
});

it("says of each row which dimensions it lacks and why it is dropped", () => {
	const rows = [
		{ group: "a", rewards: { accuracy: 1, effectiveness: 0.5, skill: 1 } },
		{ group: "a", rewards: { accuracy: 0, effectiveness: 0.5, skill: 1, tool: null } },
		{ group: "lone", rewards: { accuracy: 1, effectiveness: 1, skill: 1, tool: 1 } },
		{ group: "same", rewards: { accuracy: 1 } },
		{ group: "same", rewards: { accuracy: 1 } },
		{ group: "same", rewards: {} },
	];
	const { document } = run(JSON.stringify(rows)) as { document: { rows: object[] } };
	const rest = ["effectiveness", "skill", "tool"];
	expect(document.rows).toMatchObject([
		{ missing: ["tool"], dropped: false, why: null, advantages: { tool: 0 } },
		{ missing: ["tool"], dropped: false, why: null },
		{ missing: [], dropped: true, why: "alone" },
		{ missing: rest, dropped: true, why: "equal" },
		{ missing: rest, dropped: true, why: "equal" },
		{ missing: ["accuracy", ...rest], dropped: true, why: "no-reward" },
	]);
});

it.each([
	["not json", "is not JSON"],
	['[{"group": "a", "rewards": {"accuracy": "NaN"}}]', 'or null where the dimension does not apply; not "NaN"'],
	['[{"group": "a"}]', "rows[0][rewards]: an object with the dimensions accuracy, effectiveness, skill, tool"],
	['[{"group": "a", "rewards": {"Tool": 1}}]', "there is no dimension Tool; there are accuracy, effectiveness, skill, tool"],
	['[{"rewards": {"accuracy": 1}}]', "rows[0][group]: a text of 1 to 200 characters or a number"],
	["[]", "rows: a list of 1 to 100000 rows"],
	["[]", "rows:"],
	['[{"group": "a", "rewards": {"accuracy": "1"}}]', "rows[0][rewards][accuracy]"],
	['[{"group": "a", "rewards": {"speed": 1}}]', "rows[0][rewards]"],
	['[{"group": "a", "rewards": {"accuracy": 1e300}}]', "rows[0][rewards][accuracy]"],
	['{"rows": []}', "rows:"],
])("refuses %s with its place", (text, place) => {
	expect(() => run(text)).toThrow(AppError);
	expect(() => run(text)).toThrow(place);
});

it("names a missing file", () => {
	expect(() => advantages(path.join(folder, "absent.json"))).toThrow(
		expect.objectContaining({ message: expect.stringContaining("There is no file"), fix: expect.stringContaining("JSON list of rows") }),
	);
});
