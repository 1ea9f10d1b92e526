"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";

/** The button of the export menu; it stands before the menu is loaded, so that the head keeps its shape in either language. */
export function ExportTrigger(props: ComponentProps<typeof Button>) {
	const t = useTranslations("evolution.export");
	return (
		<Button {...props}>
			{t("title")}
			<ChevronDown className="size-3.5 text-ink-3" aria-hidden />
		</Button>
	);
}
