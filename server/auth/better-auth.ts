import { timingSafeEqual } from "node:crypto";
import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";
import type { Database } from "@/server/db/client";
import { sha256 } from "@/server/kernel/hash";
import { logger } from "@/server/kernel/logger";
import { findUser } from "./auth.repository";
import { DemoSignInSchema } from "./contract";
import { demoPeople } from "./demo-people";
import type { HostPolicy } from "./host-policy";
import { consumeAttempt } from "./rate-limit";

/** What signing in depends on; read from the environment by the composition, given by tests. */
export interface AuthSettings {
	secret: string;
	/** The address people use, e.g. `http://127.0.0.1:3000`. */
	baseUrl: string;
	port: number;
	hosts: HostPolicy;
	/** The demo token of this start; null where demo people may not exist. */
	demoToken: string | null;
}

/** The paths of better-auth that are served; whatever else it offers (sign-up, account linking, session tokens as JSON) is not. */
export const SERVED_AUTH_PATHS = ["/sign-in/email", "/sign-out", "/change-password", "/revoke-other-sessions"] as const;

const MINUTE_S = 60;
const DEMO_REMEMBERED_S = 12 * 60 * MINUTE_S;

/** Compares two secrets in constant time, whatever their lengths. */
export function secretsEqual(a: string, b: string): boolean {
	return timingSafeEqual(Buffer.from(sha256(a), "hex"), Buffer.from(sha256(b), "hex"));
}

/** What a browser keeps after a demo sign-in instead of the token: it holds for this start too, and says nothing of the token. */
const rememberedDemo = (token: string) => sha256(`studio-demo:${token}`);

/** Name of that cookie; ports share cookies, so each studio has its own. */
export const demoCookie = (port: number) => `studio-${port}.demo`;

/** Whether a cookie's value was given by a demo sign-in of this start. */
export function isRememberedDemo(value: string | null | undefined, token: string | null): boolean {
	return token !== null && typeof value === "string" && secretsEqual(value, rememberedDemo(token));
}

/** Whoever knows the token that `npm start` printed enters as a demo person; the token dies with the process. */
function demoSignIn(db: Database, settings: AuthSettings) {
	return {
		id: "studio-demo",
		endpoints: {
			demoSignIn: createAuthEndpoint("/demo-sign-in", { method: "POST", body: DemoSignInSchema }, async (ctx) => {
				if (settings.demoToken === null) throw new APIError("NOT_FOUND", { code: "demo-unavailable", message: "There are no demo people here." });
				if (!(await consumeAttempt(db, "demo-sign-in", 30, MINUTE_S, new Date())))
					throw new APIError("TOO_MANY_REQUESTS", { code: "too-many-attempts", message: "Too many attempts. Wait a minute, then try again." });
				const { token, persona } = ctx.body;
				const remembered = token === "" && isRememberedDemo(ctx.getCookie(demoCookie(settings.port)), settings.demoToken);
				if (!remembered && !secretsEqual(token, settings.demoToken))
					throw new APIError("UNAUTHORIZED", { code: "demo-token-wrong", message: "This token is not the one that this start printed." });
				const user = await findUser(db, demoPeople[persona].id);
				if (!user?.demo || user.banned) throw new APIError("NOT_FOUND", { code: "demo-unavailable", message: "There are no demo people here." });
				const session = await ctx.context.internalAdapter.createSession(user.id);
				const person = await ctx.context.internalAdapter.findUserById(user.id);
				if (!person) throw new APIError("NOT_FOUND", { code: "demo-unavailable", message: "There are no demo people here." });
				await setSessionCookie(ctx, { session, user: person });
				// Whoever signs out, to come back as another of the four, need not look the token up again.
				const cookie = { path: "/", httpOnly: true, sameSite: "strict", maxAge: DEMO_REMEMBERED_S } as const;
				ctx.setCookie(demoCookie(settings.port), rememberedDemo(settings.demoToken), cookie);
				return ctx.json({ ok: true, user: { id: user.id, name: user.name } });
			}),
		},
	};
}

/** better-auth on our tables: e-mail and password, no sign-up, cookies HttpOnly and SameSite, sign-in limited by address and by e-mail. */
export function createAuth(db: Database, settings: AuthSettings) {
	return betterAuth({
		appName: "Harness Evolution Studio",
		baseURL: settings.baseUrl,
		basePath: "/api/auth",
		secret: settings.secret,
		database: prismaAdapter(db, { provider: "postgresql" }),
		trustedOrigins: [...settings.hosts.origins],
		emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 200 },
		session: { expiresIn: 7 * 24 * 60 * MINUTE_S, updateAge: 24 * 60 * MINUTE_S },
		user: {
			additionalFields: {
				demo: { type: "boolean", input: false, defaultValue: false },
				banned: { type: "boolean", input: false, required: false },
			},
		},
		rateLimit: {
			enabled: true,
			storage: "database",
			window: MINUTE_S,
			max: 300,
			customRules: { "/sign-in/email": { window: MINUTE_S, max: 20 }, "/change-password": { window: MINUTE_S, max: 10 } },
		},
		advanced: {
			// Cookies are shared by all ports of a host: two studios on one machine must not sign each other out.
			cookiePrefix: `studio-${settings.port}`,
			defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
		},
		telemetry: { enabled: false },
		// A refusal is an answer, not a fault; only faults go to the log, and there to ours.
		onAPIError: {
			onError: (error) => {
				if (!(error instanceof APIError)) logger.error({ err: error, source: "better-auth" }, "sign-in failed inside");
			},
		},
		logger: {
			level: "warn",
			log: (level, message) => logger[level === "error" ? "error" : "warn"]({ source: "better-auth" }, message),
		},
		hooks: {
			// The address can be forged by a header where no proxy sets it; the e-mail cannot.
			before: createAuthMiddleware(async (ctx) => {
				if (ctx.path !== "/sign-in/email") return;
				const body = z.object({ email: z.string().max(320) }).safeParse(ctx.body);
				if (!body.success) return;
				const key = `sign-in:${sha256(body.data.email.trim().toLowerCase())}`;
				if (await consumeAttempt(db, key, 10, 5 * MINUTE_S, new Date())) return;
				throw new APIError("TOO_MANY_REQUESTS", {
					code: "too-many-attempts",
					message: "Too many attempts for this e-mail. Wait five minutes, then try again.",
				});
			}),
		},
		databaseHooks: {
			session: {
				create: {
					before: async (session) => {
						const user = await findUser(db, session.userId);
						if (user?.banned) throw new APIError("FORBIDDEN", { code: "account-disabled", message: "This account is disabled. Ask an admin." });
					},
				},
			},
		},
		plugins: [demoSignIn(db, settings)],
	});
}
