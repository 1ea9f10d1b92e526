"use client";

import { useTranslations } from "next-intl";
import { Fault, type FaultProps } from "@/components/layout/fault";
import { PlainPage } from "@/components/layout/plain-page";

/** A fault before any workspace could be shown, for instance while the database is away. */
export default function StudioError(props: FaultProps) {
	const c = useTranslations("common");
	return (
		<PlainPage product={c("product")}>
			<Fault {...props} />
		</PlainPage>
	);
}
