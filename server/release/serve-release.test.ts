import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Role } from "@/server/auth/contract";
import { AppError } from "@/server/kernel/errors";
import type { ReleaseManifest } from "./contract";
import { isFresh, type ServeReleaseDeps, serveRelease } from "./serve-release";

const archive = Buffer.from("archive bytes");
const digest = createHash("sha256").update(archive).digest("hex");
const manifest = { tag: "v2", commit: "c".repeat(40), digest: `sha256:${digest}` } as ReleaseManifest;

function deps(over: { roles?: Role[] | null; session?: boolean; tokenOf?: string | null } = {}): ServeReleaseDeps {
	const { roles = ["viewer"], session = true, tokenOf = null } = over;
	return {
		auth: {
			checkRequest: (_method, headers) => (headers.get("host") === "evil.example" ? { message: "no", reason: "host-refused", fix: "" } : null),
			findSession: async () => (session ? { user: { id: "u", name: "U", email: "u@example.com", demo: false } } : null),
			findMembership: async (_user, slug) => (roles && slug === "w" ? { id: "ws_1", roles } : null),
			verifyToken: async () => {
				if (tokenOf === null) throw new AppError("unauthenticated", "bad token", { reason: "token-invalid" });
				return { workspaceId: tokenOf };
			},
		},
		workspace: { find: async (slug) => (slug === "w" ? { id: "ws_1" } : null) },
		release: {
			fetch: async ({ tag }) => {
				if (tag === "v9") throw new AppError("not-found", "none", { reason: "release-unknown" });
				return { archive, digest, manifest };
			},
		},
	};
}
const get = (file: string, headers: Record<string, string> = {}, slug = "w", over = {}) =>
	serveRelease(deps(over), new Request(`http://127.0.0.1/api/releases/${slug}/${file}`, { headers: { host: "127.0.0.1", ...headers } }), { slug, file });
const refusal = (promise: Promise<unknown>) => promise.then(() => "answered").catch((error) => error.reason);

describe("a release over HTTP", () => {
	it("is an archive with its digest, and 304 for who has it", async () => {
		const response = await get("v2.tar.gz");
		expect(response.status).toBe(200);
		expect(Buffer.from(await response.arrayBuffer()).equals(archive)).toBe(true);
		expect(response.headers.get("etag")).toBe(`"sha256:${digest}"`);
		expect(response.headers.get("repr-digest")).toBe(`sha-256=:${createHash("sha256").update(archive).digest("base64")}:`);
		expect(response.headers.get("x-release")).toBe("v2");
		const again = await get("current.tar.gz", { "if-none-match": `W/"x", "sha256:${digest}"` });
		expect(again.status).toBe(304);
		expect(await again.text()).toBe("");
		expect((await get("current.json")).headers.get("content-type")).toContain("application/json");
	});

	it("refuses what is no release, another site, nobody, a stranger, and a token of another workspace", async () => {
		for (const file of ["v2.zip", "../v2.tar.gz", "v0.json", "main.tar.gz", "v2.tar.gz.json", ""]) expect(await refusal(get(file))).toBe("release-unknown");
		expect(await refusal(get("v9.json"))).toBe("release-unknown");
		expect(await refusal(get("v2.json", { host: "evil.example" }))).toBe("host-refused");
		expect(await refusal(get("v2.json", {}, "w", { session: false }))).toBe("unauthenticated");
		expect(await refusal(get("v2.json", {}, "w", { roles: null }))).toBe("release-unknown");
		expect(await refusal(get("v2.json", { authorization: "Bearer x" }))).toBe("token-invalid");
		expect(await refusal(get("v2.json", { authorization: "Bearer x" }, "w", { tokenOf: "ws_2" }))).toBe("release-unknown");
		expect(await refusal(get("v2.json", { authorization: "Bearer x" }, "other", { tokenOf: "ws_1" }))).toBe("release-unknown");
		expect(await refusal(get("v2.json", { authorization: "Bearer x" }, "w", { tokenOf: "ws_1", session: false }))).toBe("answered");
	});

	it.each([
		[null, false],
		['"a"', false],
		['"sha"', true],
		['W/"sha"', true],
		['"a", "sha"', true],
		["*", true],
	])("If-None-Match %s", (header, fresh) => {
		expect(isFresh(header, '"sha"')).toBe(fresh);
	});
});
