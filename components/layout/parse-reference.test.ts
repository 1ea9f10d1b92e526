import { expect, it } from "vitest";
import { parseReference } from "./parse-reference";

it.each([
	["41", ["reviews/41", "findings/41", "runs/41"]],
	["#41", ["reviews/41"]],
	[" F-118 ", ["findings/118"]],
	["f118", ["findings/118"]],
	["r-221", ["runs/221"]],
	["R 007", ["runs/7"]],
	["#0", []],
	["41a", []],
	["", []],
])("%j leads to %j", (typed, paths) => {
	expect(parseReference(typed).map((jump) => jump.path.join("/"))).toEqual(paths);
});
