"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/status";

/** Lines of a file that is being opened. */
function EditorSkeleton() {
	return (
		<div aria-hidden className="grid gap-3 p-4">
			{[40, 72, 55, 80, 30, 64, 48].map((width) => (
				<Skeleton key={width} style={{ width: `${width}%` }} />
			))}
		</div>
	);
}

/** A harness file in Monaco, with the validator's markers, quick fixes, completion and hover. Fills its parent. */
export const MonacoEditor = dynamic(() => import("./editor-pane"), { ssr: false, loading: EditorSkeleton });

/** Two texts side by side (inline where it is narrow), with threads below their lines. Fills its parent. */
export const MonacoDiff = dynamic(() => import("./diff-pane"), { ssr: false, loading: EditorSkeleton });
