"use client";

import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import { Words } from "./person";

const SERVICES: Readonly<Record<string, "system" | "loop-editor" | "loop-reviewer" | "trigger">> = {
	[SERVICE_ACTORS.system.name]: "system",
	[SERVICE_ACTORS.loopEditor.name]: "loop-editor",
	[SERVICE_ACTORS.loopReviewer.name]: "loop-reviewer",
	[SERVICE_ACTORS.trigger.name]: "trigger",
};
/** As the studio names evolutions itself: the first one of a workspace, and the loop's. */
const LOOP = /^Loop, (?:control \((?<control>[\w-]+)\), )?seed (?<seed>\d+)$/;

/** A name in the reader's language where the studio gave it (a service, an evolution of its own); a person's stands as it is. */
export function useName(): (name: string) => string {
	const t = useTranslations("names");
	return useCallback(
		(name) => {
			const service = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
			if (service) return t(service);
			if (name === "First evolution") return t("first-evolution");
			const { control, seed } = LOOP.exec(name)?.groups ?? {};
			if (!seed) return name;
			return control ? t("loop-control", { control, seed }) : t("loop", { seed });
		},
		[t],
	);
}

/** The same, marked with its language. */
export function Name({ children, className }: { children: string; className?: string }) {
	return <Words className={className}>{useName()(children)}</Words>;
}
