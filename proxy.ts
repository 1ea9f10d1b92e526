import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { createHostPolicy, type HostPolicy, isHostAllowed } from "@/server/auth/host-policy";
import { bodyTooLarge } from "@/server/kernel/body-limit";
import { env } from "@/server/kernel/env";

let policy: HostPolicy | undefined;

function hostPolicy(): HostPolicy {
	const { STUDIO_HOST: host, PORT: port, STUDIO_BASE_URL: baseUrl, STUDIO_EMBEDDED, STUDIO_DEMO_TOKEN: demoToken } = env();
	policy ??= createHostPolicy({ host, port, baseUrl, embedded: STUDIO_EMBEDDED === "1", demoToken });
	return policy;
}

/** Scripts need this response's nonce; styles may be inline, as the editor and the positioned layers write theirs. */
function contentPolicy(nonce: string): string {
	const development = env().NODE_ENV === "development";
	return [
		"default-src 'self'",
		`script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' data: blob:",
		"font-src 'self' data:",
		`connect-src 'self'${development ? " ws:" : ""}`,
		"worker-src 'self' blob:",
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	].join("; ");
}

/** Whether the path can be decoded: Next answers one that cannot (`/w/%`) with a bare 500. */
function isPath(pathname: string): boolean {
	try {
		decodeURIComponent(pathname);
		return true;
	} catch {
		return false;
	}
}

/** Before every page and route: only our own Host is answered; pages get their policy, and the path for the way back from signing in. */
export function proxy(request: NextRequest): NextResponse {
	if (!isHostAllowed(hostPolicy(), request.headers.get("host")))
		return new NextResponse("This studio does not answer to this address. Open the address that the start printed.\n", { status: 403 });
	const refused = bodyTooLarge(request.headers);
	// Procedures refuse it themselves, in the form that their clients read.
	if (refused && !request.nextUrl.pathname.startsWith("/api/trpc/"))
		return NextResponse.json({ code: refused.code, reason: refused.reason, message: refused.message, fix: refused.fix }, { status: 413 });
	const policyText = contentPolicy(randomBytes(16).toString("base64"));
	const headers = new Headers(request.headers);
	// Next reads the nonce for its own scripts from this request header.
	headers.set("content-security-policy", policyText);
	headers.set("x-studio-path", `${request.nextUrl.pathname}${request.nextUrl.search}`);
	const { pathname } = request.nextUrl;
	// No route has the name: the page that says so.
	const response = isPath(pathname)
		? NextResponse.next({ request: { headers } })
		: NextResponse.rewrite(new URL("/not-found", request.url), { request: { headers } });
	response.headers.set("content-security-policy", policyText);
	return response;
}

export const config = {
	// Everything but the build's own immutable files.
	matcher: ["/((?!_next/static|_next/image).*)"],
};
