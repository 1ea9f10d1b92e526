"use client";

import { useTranslations } from "next-intl";
import { PlainPage } from "@/components/layout/plain-page";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";

/** A fault before any workspace could be shown, for instance while the database is away. */
export default function StudioError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
	const t = useTranslations("shell.error");
	const c = useTranslations("common");
	return (
		<PlainPage product={c("product")}>
			<ErrorNote
				title={t("title")}
				happened={t("happened")}
				kept={t("kept")}
				next={t("next")}
				reference={error.digest}
				actions={
					<Button variant="solid" onClick={reset}>
						{c("retry")}
					</Button>
				}
			/>
		</PlainPage>
	);
}
