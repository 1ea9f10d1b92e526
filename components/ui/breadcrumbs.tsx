"use client";

import Link from "next/link";
import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";

export interface Crumb {
	label: ReactNode;
	/** The last one has none: it is this page. */
	href?: string;
}

export const CRUMB_SLOT = "studio-crumbs";

/** Puts the path of this page into the top bar. Until it is there the bar shows the area's name. */
export function Breadcrumbs({ items }: { items: readonly Crumb[] }) {
	const [slot, setSlot] = useState<HTMLElement | null>(null);
	useEffect(() => setSlot(document.getElementById(CRUMB_SLOT)), []);
	if (!slot) return null;
	return createPortal(
		<ol className="flex min-w-0 items-center gap-1.5 text-13">
			{items.map((item, index) => (
				<li key={`crumb-${index.toString()}`} className={item.href ? "flex shrink-0 items-center gap-1.5 max-md:hidden" : "min-w-0 truncate"}>
					{item.href ? (
						<>
							<Link href={item.href} className="text-ink-2 hover:text-accent hover:underline">
								{item.label}
							</Link>
							<span aria-hidden className="text-ink-3">
								/
							</span>
						</>
					) : (
						<span aria-current="page" className="font-semibold">
							{item.label}
						</span>
					)}
				</li>
			))}
		</ol>,
		slot,
	);
}
