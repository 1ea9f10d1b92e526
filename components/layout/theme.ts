"use client";

import { useSyncExternalStore } from "react";
import { THEME_COOKIE, type Theme, writePreference } from "@/components/locale";

/** Sets the theme of this browser at once and for the next visit. "system" leaves it to the media query. */
export function setTheme(theme: Theme): void {
	if (theme === "system") delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = theme;
	writePreference(THEME_COOKIE, theme);
}

function subscribe(onChange: () => void): () => void {
	const observer = new MutationObserver(onChange);
	observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
	const media = window.matchMedia("(prefers-color-scheme: dark)");
	media.addEventListener("change", onChange);
	return () => {
		observer.disconnect();
		media.removeEventListener("change", onChange);
	};
}

function chosen(): Theme {
	const value = document.documentElement.dataset.theme;
	return value === "light" || value === "dark" ? value : "system";
}

/** What the person chose. */
export function useTheme(): Theme {
	return useSyncExternalStore<Theme>(subscribe, chosen, () => "system");
}

/** What is on the screen: for canvases and editors, which do not follow CSS variables by themselves. */
export function useResolvedTheme(): "light" | "dark" {
	return useSyncExternalStore<"light" | "dark">(
		subscribe,
		() => {
			const theme = chosen();
			if (theme !== "system") return theme;
			return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
		},
		() => "light",
	);
}
