import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import net, { type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { Agent, type Dispatcher, fetch as undiciFetch } from "undici";
import { AppError } from "@/server/kernel/errors";

/** Whether an IP address is not on the public internet: loopback, private, link-local (cloud metadata), unique local, reserved … */
export function isPrivateAddress(address: string): boolean {
	if (!ipaddr.isValid(address)) return true;
	const parsed = ipaddr.process(address); // an IPv4 address inside IPv6 counts as what it is
	return parsed.range() !== "unicast";
}

/** The refusal of an address that is not public. */
export function privateAddressError(host: string): AppError {
	return new AppError("bad-input", `${host} is a private address.`, {
		reason: "private-address",
		params: { host },
		fix: "An admin can allow private addresses for this entry, if the server is meant to reach it.",
	});
}

/** Host of a URL without the brackets of IPv6. */
export function hostOf(url: string): string {
	return new URL(url).hostname.replace(/^\[|\]$/g, "");
}

/** Refuses a URL whose host is a literal private address or a name of this machine; other names are judged when they resolve. */
export function assertUrlAllowed(url: string, allowPrivate: boolean): void {
	if (allowPrivate) return;
	const host = hostOf(url);
	if (net.isIP(host) ? isPrivateAddress(host) : /(^|\.)(localhost|local|internal)$/i.test(host)) throw privateAddressError(host);
}

/** A name look-up that gives up when any of the addresses is private, so that no second answer can slip in between check and use. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
	dnsLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
		if (error) return callback(error, "", 0);
		if (addresses.some(({ address }) => isPrivateAddress(address))) return callback(privateAddressError(hostname), "", 0);
		const first = addresses[0];
		if (options.all) return (callback as unknown as (error: null, addresses: LookupAddress[]) => void)(null, addresses);
		return callback(null, first?.address ?? "", first?.family ?? 4);
	});
};

function createAgent(allowPrivate: boolean): Agent {
	return new Agent({
		connections: 512,
		pipelining: 1,
		keepAliveTimeout: 30_000,
		// Whoever calls bounds the whole exchange with a signal.
		headersTimeout: 0,
		bodyTimeout: 0,
		connect: { timeout: 10_000, ...(allowPrivate ? {} : { lookup: publicLookup }) },
	});
}

let agents: { open: Agent; guarded: Agent } | undefined;

/** The connection pool for addresses that people entered; `allowPrivate` as the admin set it for the entry. */
export function dispatcherFor(allowPrivate: boolean): Dispatcher {
	agents ??= { open: createAgent(true), guarded: createAgent(false) };
	return allowPrivate ? agents.open : agents.guarded;
}

/** Closes idle connections; for the end of a process or test. */
export async function closeDispatchers(): Promise<void> {
	const { open, guarded } = agents ?? {};
	agents = undefined;
	await Promise.all([open?.destroy(), guarded?.destroy()]);
}

/** A `fetch` that refuses private addresses unless allowed, and never follows a redirect: it fails, or is the answer where the caller asks for `manual`. */
export function guardedFetch(allowPrivate: boolean): typeof fetch {
	const call = async (input: string | URL, init?: RequestInit) => {
		assertUrlAllowed(String(input), allowPrivate);
		const options = { ...init, redirect: init?.redirect === "manual" ? "manual" : "error", dispatcher: dispatcherFor(allowPrivate) } as Parameters<
			typeof undiciFetch
		>[1];
		return (await undiciFetch(input, options)) as unknown as Response;
	};
	return call as typeof fetch;
}
