import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import { NextIntlClientProvider } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { TimeZoneSync } from "@/components/layout/preferences";
import { chooseTheme, HTML_LANG, isLocale, THEME_COOKIE } from "@/components/locale";
import { TrpcProvider } from "@/components/trpc/client";
import { TooltipProvider } from "@/components/ui/popover";
import { Toaster } from "@/components/ui/toast";
import "./globals.css";

export async function generateMetadata(): Promise<Metadata> {
	const t = await getTranslations("common");
	return { title: { template: `%s · ${t("product")}`, default: t("product") }, robots: { index: false, follow: false } };
}

export const viewport: Viewport = {
	width: "device-width",
	initialScale: 1,
	themeColor: [
		{ media: "(prefers-color-scheme: light)", color: "#ffffff" },
		{ media: "(prefers-color-scheme: dark)", color: "#131416" },
	],
};

/** Language and theme come from cookies, so that the first byte is right: no flash, and no script that a strict policy forbids. */
export default async function RootLayout({ children }: { children: ReactNode }) {
	const locale = await getLocale();
	const theme = chooseTheme((await cookies()).get(THEME_COOKIE)?.value);
	const t = await getTranslations("common");
	return (
		<html lang={HTML_LANG[isLocale(locale) ? locale : "en"]} data-theme={theme === "system" ? undefined : theme} suppressHydrationWarning>
			<body>
				<NextIntlClientProvider>
					<NuqsAdapter>
						<TrpcProvider>
							<TooltipProvider delayDuration={300}>{children}</TooltipProvider>
						</TrpcProvider>
					</NuqsAdapter>
					<TimeZoneSync />
					<Toaster label={t("notifications")} />
				</NextIntlClientProvider>
			</body>
		</html>
	);
}
