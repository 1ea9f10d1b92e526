"use client";

import Link from "next/link";
import { useParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";

/** A fault while a page was built: what happened, what was kept, what to do. The detail stays in the log under the digest. */
export default function WorkspaceError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
	const t = useTranslations("shell.error");
	const c = useTranslations("common");
	const params = useParams<{ workspace: string }>();
	return (
		<div className="p-6 max-md:p-4">
			<ErrorNote
				title={t("title")}
				happened={t("happened")}
				kept={t("kept")}
				next={t("next")}
				reference={error.digest}
				className="max-w-[640px]"
				actions={
					<>
						<Button variant="solid" onClick={reset}>
							{c("retry")}
						</Button>
						<Button asChild>
							<Link href={`/w/${params.workspace}/evolution`}>{t("home")}</Link>
						</Button>
					</>
				}
			/>
		</div>
	);
}
