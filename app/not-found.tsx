import Link from "next/link";
import { useTranslations } from "next-intl";
import { AccountlessNote } from "@/components/layout/plain-page";
import { Button } from "@/components/ui/button";

export default function NotFound() {
	const t = useTranslations("shell.notFound");
	const c = useTranslations("common");
	return (
		<AccountlessNote
			product={c("product")}
			title={t("title")}
			text={t("text")}
			action={
				<Button asChild>
					<Link href="/">{t("start")}</Link>
				</Button>
			}
		/>
	);
}
