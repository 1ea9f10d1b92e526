import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PlainPage } from "@/components/layout/plain-page";
import { safeNext } from "@/components/layout/safe-next";
import { SignInForms } from "@/components/layout/sign-in-forms";
import { getCaller } from "../caller";

export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
	return { title: (await getTranslations("signin"))("title") };
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** The door: demo people with the start's one-time token where they exist, and people with an account. */
export default async function SignIn({ searchParams }: { searchParams: Promise<Record<string, string | string[] | undefined>> }) {
	const query = await searchParams;
	const next = safeNext(one(query.next));
	const caller = await getCaller();
	if (await caller.auth.me()) redirect(next);
	const { demo } = await caller.auth.signInOptions();
	const t = await getTranslations("signin");
	const c = await getTranslations("common");
	return (
		<PlainPage product={c("product")}>
			<h1 className="say">{t("heading")}</h1>
			<p className="mt-1 text-ink-2">{demo.length > 0 ? t("leadDemo") : t("lead")}</p>
			<SignInForms demo={demo} token={(one(query.token) ?? "").slice(0, 200)} next={next} />
		</PlainPage>
	);
}
