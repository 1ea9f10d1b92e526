import { expect, it } from "vitest";
import { whyKept } from "./remove-checkpoint";

it.each([
	["came with the workspace", { kind: "checkpoint", config: { initial: true } }, [], "policy-initial"],
	["is released", { kind: "checkpoint", config: {} }, ["v2"], "policy-in-use"],
	["is referred to by many", { kind: "checkpoint", config: {} }, ["v1", "v2", "v3", "v4", "v5", "v6"], "policy-in-use"],
	["is an endpoint", { kind: "endpoint", config: {} }, [], "policy-not-imported"],
	["is nobody's", { kind: "checkpoint", config: {} }, [], null],
] as const)("decides on one that %s", (_name, version, references, reason) => {
	expect(whyKept({ name: "p", ...version }, references)?.reason ?? null).toBe(reason);
});
