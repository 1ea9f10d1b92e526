"use client";

import Link from "next/link";
import { useParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { Fault, type FaultProps } from "@/components/layout/fault";
import { Button } from "@/components/ui/button";

/** A fault while a page of a workspace was built, with the way to its curve. */
export default function WorkspaceError(props: FaultProps) {
	const t = useTranslations("shell.error");
	const params = useParams<{ workspace: string }>();
	return (
		<div className="p-6 max-md:p-4">
			<Fault {...props}>
				<Button asChild>
					<Link href={`/w/${params.workspace}/evolution`}>{t("home")}</Link>
				</Button>
			</Fault>
		</div>
	);
}
