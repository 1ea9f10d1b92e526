import { describe, expect, it } from "vitest";
import { createHostPolicy, isDemoAllowed, isHostAllowed, isOriginAllowed } from "./host-policy";

const token = "a-token-of-this-start";
const demo = createHostPolicy({ host: "127.0.0.1", port: 3000, embedded: true, demoToken: token });
const proxied = createHostPolicy({ host: "0.0.0.0", port: 3000, baseUrl: "https://studio.example.org", embedded: false });
const open = createHostPolicy({ host: "0.0.0.0", port: 3000, embedded: false });

describe("where demo people may exist", () => {
	const here = { host: "127.0.0.1", port: 3000, embedded: true, demoToken: token };
	it.each([
		["loopback, own database, token", here, true],
		["the launcher's own address", { ...here, baseUrl: "http://localhost:3000" }, true],
		["IPv6 loopback", { ...here, host: "::1" }, true],
		["a proxy in front", { ...here, baseUrl: "https://studio.example.org" }, false],
		["bound to all addresses", { ...here, host: "0.0.0.0" }, false],
		["DATABASE_URL given", { ...here, embedded: false }, false],
		["no token", { ...here, demoToken: undefined }, false],
		["a short token", { ...here, demoToken: "1234" }, false],
	])("%s", (_name, config, expected) => {
		expect(isDemoAllowed(config)).toBe(expected);
	});
});

describe("which Host is answered", () => {
	it.each([
		[demo, "127.0.0.1:3000", true],
		[demo, "localhost:3000", true],
		[demo, "[::1]:3000", true],
		[demo, "rebound.example:3000", false],
		[demo, "127.0.0.1.rebound.example", false],
		[demo, "localhost@rebound.example", false],
		[demo, null, false],
		[demo, "", false],
		[proxied, "studio.example.org", true],
		[proxied, "STUDIO.example.org", true],
		[proxied, "other.example.org", false],
		[open, "10.0.0.5:3000", true],
		[open, "host name", false],
	])("%o %s → %s", (policy, host, expected) => {
		expect(isHostAllowed(policy, host)).toBe(expected);
	});
});

describe("which Origin may act", () => {
	const of = (origin: string | null, secFetchSite: string | null = null, host = "127.0.0.1:3000") => ({ origin, secFetchSite, host });
	it.each([
		["own origin changes", demo, "POST", of("http://127.0.0.1:3000"), true],
		["localhost too", demo, "POST", of("http://localhost:3000"), true],
		["another port does not", demo, "POST", of("http://127.0.0.1:3001"), false],
		["another site does not", demo, "POST", of("https://evil.example"), false],
		["an opaque origin does not", demo, "POST", of("null"), false],
		["a change without Origin does not", demo, "POST", of(null), false],
		["a stream without Origin does", demo, "GET", of(null, "same-origin"), true],
		["a typed address does", demo, "GET", of(null, "none"), true],
		["a stream from another site does not", demo, "GET", of("https://evil.example", "cross-site"), false],
		["a cross-site read without Origin does not", demo, "GET", of(null, "cross-site"), false],
		["the configured address changes", proxied, "POST", of("https://studio.example.org", null, "studio.example.org"), true],
		["an open host takes its own origin", open, "POST", of("http://10.0.0.5:3000", null, "10.0.0.5:3000"), true],
		["an open host refuses others", open, "POST", of("http://10.0.0.6:3000", null, "10.0.0.5:3000"), false],
	])("%s", (_name, policy, method, headers, expected) => {
		expect(isOriginAllowed(policy, method, headers)).toBe(expected);
	});
});
