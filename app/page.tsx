import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { AccountlessNote } from "@/components/layout/plain-page";
import { getCaller } from "./caller";

export const dynamic = "force-dynamic";

/** To the first workspace of the person; to the door for nobody. */
export default async function Home() {
	const me = await (await getCaller()).auth.me();
	if (!me) redirect("/sign-in");
	const first = me.workspaces[0];
	if (first) redirect(`/w/${encodeURIComponent(first.slug)}/evolution`);
	const t = await getTranslations("shell.noWorkspace");
	const c = await getTranslations("common");
	return <AccountlessNote product={c("product")} title={t("title")} text={t("text", { email: me.user.email })} />;
}
