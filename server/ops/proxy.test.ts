import { NextRequest } from "next/server";
import { describe, expect, it } from "vitest";
import { proxy } from "@/proxy";

const ask = (path: string) => proxy(new NextRequest(`http://localhost:3000${path}`, { headers: { host: "localhost:3000" } }));

describe("proxy", () => {
	it.each(["/w/%", "/w/live/%E0%A4%A", "/%zz"])("shows the not-found page for %s, which no route can decode", (path) => {
		expect(ask(path).headers.get("x-middleware-rewrite")).toBe("http://localhost:3000/not-found");
	});
	it.each(["/w/live", "/w/%E4%BD%A0", "/"])("lets %s through, with a policy of its own", (path) => {
		const { headers } = ask(path);
		expect(headers.get("x-middleware-rewrite")).toBeNull();
		expect(headers.get("content-security-policy")).toContain("'strict-dynamic'");
	});
});
