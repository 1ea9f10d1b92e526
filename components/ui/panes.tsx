"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "./cn";

export interface Pane {
	id: string;
	/** The tab's name at 390 px, and the separator's. */
	title: string;
	count?: number;
	/** Width in px; the one pane without it takes the rest. */
	width?: number;
	minWidth?: number;
	content: ReactNode;
}

const clampWidth = (value: number, pane: Pane) => Math.round(Math.min(Math.max(value, pane.minWidth ?? 160), 900));

/**
 * Panes that meet at 1 px lines and can be resized with pointer or arrow keys; widths are kept in this browser under `name`.
 * Below 721 px one is shown at a time, with tabs above. Every pane stays mounted, so that an editor keeps its state.
 */
export function Panes({
	panes,
	name,
	active,
	onActiveChange,
	className,
}: {
	panes: readonly Pane[];
	name: string;
	/** The pane shown at 390 px, when the page steers it. */
	active?: string;
	onActiveChange?: (id: string) => void;
	className?: string;
}) {
	const t = useTranslations("common");
	const [widths, setWidths] = useState<Record<string, number>>({});
	const [own, setOwn] = useState(panes[0]?.id ?? "");
	const shown = active ?? own;
	const drag = useRef<{ pane: Pane; x: number; from: number; sign: number } | null>(null);
	const key = `panes:${name}`;

	useEffect(() => {
		try {
			const saved: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
			if (saved && typeof saved === "object") setWidths(Object.fromEntries(Object.entries(saved).filter(([, value]) => typeof value === "number")));
		} catch {
			// A broken or forbidden store only loses the remembered widths.
		}
	}, [key]);

	const widthOf = (pane: Pane) => (pane.width === undefined ? undefined : (widths[pane.id] ?? pane.width));
	const resize = (pane: Pane, value: number, done: boolean) => {
		const next = { ...widths, [pane.id]: clampWidth(value, pane) };
		setWidths(next);
		if (!done) return;
		try {
			localStorage.setItem(key, JSON.stringify(next));
		} catch {
			// see above
		}
	};
	/** The separator left of a pane moves that pane, or its left neighbour when that is the sized one. */
	const ownerOf = (index: number): { pane: Pane; sign: number } | null => {
		const left = panes[index - 1];
		const right = panes[index];
		if (left?.width !== undefined && index === 1) return { pane: left, sign: 1 };
		if (right?.width !== undefined) return { pane: right, sign: -1 };
		return left?.width !== undefined ? { pane: left, sign: 1 } : null;
	};
	const onKey = (event: KeyboardEvent, pane: Pane, sign: number) => {
		const step = event.key === "ArrowRight" ? 16 : event.key === "ArrowLeft" ? -16 : 0;
		if (!step) return;
		event.preventDefault();
		resize(pane, (widthOf(pane) ?? 0) + step * sign, true);
	};
	const onMove = (event: PointerEvent) => {
		const current = drag.current;
		if (current) resize(current.pane, current.from + (event.clientX - current.x) * current.sign, false);
	};
	const onUp = (event: PointerEvent) => {
		const current = drag.current;
		drag.current = null;
		if (current) resize(current.pane, current.from + (event.clientX - current.x) * current.sign, true);
	};

	return (
		<div className={cn("flex min-h-0 flex-1 flex-col", className)}>
			<div role="tablist" aria-label={t("panes")} className="flex shrink-0 overflow-x-auto border-line border-b px-2 md:hidden">
				{panes.map((pane) => (
					<button
						key={pane.id}
						type="button"
						role="tab"
						aria-selected={shown === pane.id}
						aria-controls={`${name}-${pane.id}`}
						onClick={() => (onActiveChange ?? setOwn)(pane.id)}
						className="h-11 whitespace-nowrap border-transparent border-b-2 px-3 text-13 text-ink-2 aria-selected:border-accent aria-selected:font-semibold aria-selected:text-ink"
					>
						{pane.title}
						{pane.count !== undefined && <span className="ml-1.5 font-normal text-12 text-ink-3">{pane.count}</span>}
					</button>
				))}
			</div>
			<div className="flex min-h-0 flex-1">
				{panes.map((pane, index) => {
					const width = widthOf(pane);
					const owner = index > 0 ? ownerOf(index) : null;
					return (
						<div
							key={pane.id}
							id={`${name}-${pane.id}`}
							style={width === undefined ? undefined : ({ "--pane": `${width}px` } as Record<string, string>)}
							className={cn(
								"relative min-h-0 min-w-0 overflow-auto",
								width === undefined ? "flex-1" : "w-(--pane) shrink-0 max-md:w-full max-md:shrink",
								index > 0 && "md:border-line md:border-l",
								shown !== pane.id && "max-md:hidden",
							)}
						>
							{owner && (
								// biome-ignore lint/a11y/useSemanticElements: a focusable separator with a value is the ARIA window splitter; <hr> cannot be one
								<div
									role="separator"
									tabIndex={0}
									aria-orientation="vertical"
									aria-label={t("resize", { pane: owner.pane.title })}
									aria-valuenow={widthOf(owner.pane) ?? 0}
									aria-valuemin={owner.pane.minWidth ?? 160}
									aria-valuemax={900}
									onKeyDown={(event) => onKey(event, owner.pane, owner.sign)}
									onPointerDown={(event) => {
										event.currentTarget.setPointerCapture(event.pointerId);
										drag.current = { pane: owner.pane, x: event.clientX, from: widthOf(owner.pane) ?? 0, sign: owner.sign };
									}}
									onPointerMove={onMove}
									onPointerUp={onUp}
									className="absolute inset-y-0 left-0 z-10 w-1.5 cursor-col-resize touch-none hover:bg-accent-line focus-visible:bg-accent-line focus-visible:outline-none max-md:hidden"
								/>
							)}
							{pane.content}
						</div>
					);
				})}
			</div>
		</div>
	);
}
