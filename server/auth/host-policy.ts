/** Which addresses this studio answers to; made once per process from its environment. */
export interface HostPolicy {
	/** Demo people exist: nothing but a loopback Host is served, so that no rebound DNS name reaches them. */
	loopbackOnly: boolean;
	/** Origins that people use, e.g. `http://127.0.0.1:3000`. */
	origins: readonly string[];
	/** Without a configured address and bound to more than loopback, any Host is served and an Origin must equal it. */
	anyHost: boolean;
}

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name (without port) means this machine. */
export function isLoopbackName(name: string): boolean {
	return LOOPBACK.test(name.toLowerCase());
}

function nameOf(host: string): string | null {
	// No user, path or second colon can hide in a Host that is accepted.
	const match = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.exec(host);
	return match?.[1] ?? null;
}

export interface AddressConfig {
	/** What the server binds. */
	host: string;
	port: number;
	/** Where people reach it when a proxy stands in front. */
	baseUrl?: string;
	/** The database is the studio's own. */
	embedded: boolean;
	/** The token that the start printed. */
	demoToken?: string;
}

const bracketed = (host: string) => (host.includes(":") ? `[${host}]` : host);

/** Whether demo people may exist: loopback in every respect (an outer address means that a proxy lets others in), our own database, a token worth the name. */
export function isDemoAllowed({ host, baseUrl, embedded, demoToken = "" }: AddressConfig): boolean {
	const local = isLoopbackName(bracketed(host)) && (baseUrl === undefined || isLoopbackName(new URL(baseUrl).hostname));
	return embedded && local && demoToken.length >= 16;
}

/** The policy of a process. */
export function createHostPolicy(config: AddressConfig): HostPolicy {
	const demo = isDemoAllowed(config);
	const local = [`http://127.0.0.1:${config.port}`, `http://localhost:${config.port}`, `http://[::1]:${config.port}`];
	const origins = config.baseUrl ? [new URL(config.baseUrl).origin, ...local] : local;
	return { loopbackOnly: demo, origins, anyHost: !isLoopbackName(bracketed(config.host)) && !config.baseUrl };
}

/** Whether a request with this Host header is answered at all. */
export function isHostAllowed(policy: HostPolicy, host: string | null): boolean {
	const name = host === null ? null : nameOf(host);
	if (name === null) return false;
	if (isLoopbackName(name)) return true;
	if (policy.loopbackOnly) return false;
	return policy.anyHost || policy.origins.some((origin) => new URL(origin).hostname === name.toLowerCase());
}

export interface RequestHeaders {
	host: string | null;
	origin: string | null;
	secFetchSite: string | null;
}

/**
 * Whether a request may act for the person whose cookie it carries. A change (POST) must name an Origin that is ours;
 * a read or stream (GET) may leave it out, as browsers do for their own origin, but never name another.
 */
export function isOriginAllowed(policy: HostPolicy, method: string, headers: RequestHeaders): boolean {
	const { origin, host, secFetchSite } = headers;
	if (origin !== null) return policy.origins.includes(origin) || (policy.anyHost && (origin === `http://${host}` || origin === `https://${host}`));
	if (method !== "GET" && method !== "HEAD") return false;
	return secFetchSite === null || secFetchSite === "same-origin" || secFetchSite === "none";
}
