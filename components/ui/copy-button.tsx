"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { IconButton } from "./button";

/** Copies a value; the icon turns into a check for two seconds. */
export function CopyButton({ value, label }: { value: string; label?: string }) {
	const t = useTranslations("common");
	const [copied, setCopied] = useState(false);
	useEffect(() => {
		if (!copied) return;
		const timer = setTimeout(() => setCopied(false), 2_000);
		return () => clearTimeout(timer);
	}, [copied]);
	return (
		<IconButton
			size="sm"
			label={copied ? t("copied") : (label ?? t("copy"))}
			onClick={() => {
				navigator.clipboard.writeText(value).then(
					() => setCopied(true),
					// Without the permission the value stays selectable on the page; nothing is lost.
					() => setCopied(false),
				);
			}}
		>
			{copied ? <Check className="size-3 text-up" aria-hidden /> : <Copy className="size-3" aria-hidden />}
		</IconButton>
	);
}
