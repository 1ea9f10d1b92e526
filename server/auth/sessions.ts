import type { Database } from "@/server/db/client";
import { refusalOf } from "@/server/db/refusal";
import type { Clock } from "@/server/kernel/clock";
import * as repository from "./auth.repository";
import { type AuthSettings, createAuth, demoCookie, isRememberedDemo, SERVED_AUTH_PATHS } from "./better-auth";
import type { SessionUser } from "./contract";
import { isHostAllowed, isOriginAllowed } from "./host-policy";

const BASE_PATH = "/api/auth";

/** The library answers with the session's token, which belongs in the HttpOnly cookie only, where no script can read it. */
function withoutToken(response: Response): Response {
	if (!response.ok) return response;
	const headers = new Headers(response.headers);
	headers.delete("content-length");
	headers.set("content-type", "application/json");
	return new Response('{"ok":true}', { status: response.status, headers });
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Sessions: which requests are answered, who they come from, and the routes that sign people in and out. */
export function createSessionService(db: Database, settings: AuthSettings, clock: Clock) {
	// better-auth is made on first use: commands and workers never need it.
	let auth: ReturnType<typeof createAuth> | undefined;
	const betterAuth = () => {
		auth ??= createAuth(db, settings);
		return auth;
	};

	/** The library hides why it failed. When the database is the reason, it says so itself: throws that. */
	async function assertDatabaseAnswers(): Promise<void> {
		await db.$queryRaw`select 1`;
	}

	/** Serves a route of the library; 503 with the reason while the database is away or the disk is full. */
	async function serve(request: Request): Promise<Response> {
		try {
			const response = await betterAuth().handler(request);
			if (response.status >= 500) await assertDatabaseAnswers();
			return response;
		} catch (error) {
			return refusalOf(error);
		}
	}

	const demoAvailable = settings.demoToken !== null;

	/** Why a request is refused before anything else is looked at; null when it may go on. */
	function checkRequest(method: string, headers: Headers): { message: string; reason: string; fix: string } | null {
		const host = headers.get("host");
		if (!isHostAllowed(settings.hosts, host))
			return { message: "This studio does not answer to this address.", reason: "host-refused", fix: "Open the address that the start printed." };
		const origin = { host, origin: headers.get("origin"), secFetchSite: headers.get("sec-fetch-site") };
		if (!isOriginAllowed(settings.hosts, method, origin))
			return { message: "This request comes from another site.", reason: "origin-refused", fix: "Open the studio at the address that the start printed." };
		return null;
	}

	function refuse(request: Request): Response | null {
		const refusal = checkRequest(request.method, request.headers);
		return refusal && Response.json({ code: refusal.reason, message: refusal.message, fix: refusal.fix }, { status: 403 });
	}

	return {
		checkRequest,

		/** Serves better-auth's own routes: signing in and out, session, password; nothing else of it. */
		async handle(request: Request): Promise<Response> {
			const refused = refuse(request);
			if (refused) return refused;
			const path = new URL(request.url).pathname.slice(BASE_PATH.length);
			if (!SERVED_AUTH_PATHS.some((served) => served === path)) return Response.json({ code: "not-found", message: "Not found." }, { status: 404 });
			return withoutToken(await serve(request));
		},

		/** Serves `POST /api/demo-sign-in`: `{ token, persona }` → a session cookie, and one that stands for the token until the next start. */
		async handleDemoSignIn(request: Request): Promise<Response> {
			const refused = refuse(request);
			if (refused) return refused;
			const url = new URL(`${BASE_PATH}/demo-sign-in`, settings.baseUrl);
			const body = await request.text();
			if (body.length > 2000) return Response.json({ code: "bad-input", message: "Too large." }, { status: 413 });
			// What is no JSON would be logged as a fault of ours.
			if (!isJson(body)) return Response.json({ code: "bad-input", message: "The body is not JSON." }, { status: 400 });
			const headers = new Headers(request.headers);
			headers.delete("content-length");
			return serve(new Request(url, { method: "POST", headers, body }));
		},

		/** Whether this browser has entered as a demo person before, with the token of this start. */
		remembersDemo(headers: Headers): boolean {
			const name = `${demoCookie(settings.port)}=`;
			const pair = (headers.get("cookie") ?? "").split(/;\s*/).find((part) => part.startsWith(name));
			return isRememberedDemo(pair?.slice(name.length), settings.demoToken);
		},

		/** The person of a request's session cookie; null when there is none that stands. Throws the database's own error while it is away. */
		async findSession(headers: Headers): Promise<{ id: string; user: SessionUser } | null> {
			if (!headers.get("cookie")) return null;
			const found = await betterAuth()
				.api.getSession({ headers })
				.catch(async (error: unknown) => {
					await assertDatabaseAnswers();
					throw error;
				});
			if (!found || found.user.banned) return null;
			// A demo person's session of an earlier start dies where demo people may no longer exist.
			if (found.user.demo && !demoAvailable) return null;
			const { id, name, email, demo } = found.user;
			return { id: found.session.id, user: { id, name, email, demo: demo === true } };
		},

		isSessionAlive: (sessionId: string) => repository.isSessionRowAlive(db, sessionId, clock.now()),
	};
}
