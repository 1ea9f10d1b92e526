import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PlainPage } from "@/components/layout/plain-page";
import { safeNext } from "@/components/layout/safe-next";
import { SignInForms } from "@/components/layout/sign-in-forms";
import { getServices } from "@/server/composition";
import { getCaller } from "../caller";

export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("signin"))("title") };
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** The door: demo people with the token of this start where they exist, and people with an account. */
export default async function SignIn({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
	const query = await searchParams;
	const next = safeNext(one(query.next));
	const caller = await getCaller();
	const token = (one(query.token) ?? "").slice(0, 200);
	const { demo } = await caller.auth.signInOptions();
	const me = await caller.auth.me();
	// The printed link, opened by someone who is in already, is how they become another of the four.
	if (me && (token === "" || demo.length === 0)) redirect(next);
	const remembered = (await getServices()).auth.remembersDemo(await headers());
	const t = await getTranslations("signin");
	const c = await getTranslations("common");
	return (
		<PlainPage product={c("product")}>
			<h1 className="say">{t("heading")}</h1>
			<p className="mt-1 text-ink-2">{demo.length > 0 ? t("leadDemo") : t("lead")}</p>
			<SignInForms demo={demo} token={token} remembered={remembered} next={next} />
		</PlainPage>
	);
}
