import Link from "next/link";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/notes";

export default function WorkspaceNotFound() {
	const t = useTranslations("shell.notFound");
	return (
		<div className="px-6 max-md:px-4">
			<EmptyState
				title={t("title")}
				action={
					<Button asChild>
						<Link href="/">{t("home")}</Link>
					</Button>
				}
			>
				{t("text")}
			</EmptyState>
		</div>
	);
}
