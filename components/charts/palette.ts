"use client";

import { useMemo } from "react";
import { useResolvedTheme } from "@/components/layout/theme";

const TOKENS = {
	bg: "--bg",
	ink: "--ink",
	ink2: "--ink-2",
	ink3: "--ink-3",
	grid: "--grid",
	line: "--line",
	hatch: "--hatch",
	accuracy: "--s-acc",
	accuracyBand: "--s-acc-band",
	effectiveness: "--s-eff",
	effectivenessBand: "--s-eff-band",
	down: "--down",
	best: "--accent-soft",
	font: "--font-ui",
} as const;

export type Palette = Record<keyof typeof TOKENS, string>;

// Font names in double quotes would end the attribute that an exported SVG puts them into.
const clean = (value: string) => value.trim().replaceAll('"', "'").replaceAll(/\s+/g, " ");

/** The tokens of the theme on the screen, as a chart needs them: resolved. */
export function readPalette(): Palette {
	const style = getComputedStyle(document.documentElement);
	return Object.fromEntries(Object.entries(TOKENS).map(([key, token]) => [key, clean(style.getPropertyValue(token))])) as Palette;
}

/** Read again when the theme changes, so that a chart follows without a reload. */
export function usePalette(): Palette | null {
	const theme = useResolvedTheme();
	// biome-ignore lint/correctness/useExhaustiveDependencies: the theme decides what the document resolves its tokens to
	return useMemo(() => (typeof document === "undefined" ? null : readPalette()), [theme]);
}
