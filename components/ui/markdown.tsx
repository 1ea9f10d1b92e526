"use client";

import { lazy, Suspense } from "react";
import { langOf } from "./format";

/** The parser is large, and needed only where somebody wrote something. */
const Body = lazy(() => import("./markdown-body"));

/** Markdown that strangers or models wrote. Until its parser is there, the text stands as it was written. */
export function Markdown({ text, className }: { text: string; className?: string }) {
	const plain = (
		<p lang={langOf(text)} className="min-w-0 whitespace-pre-wrap break-words">
			{text}
		</p>
	);
	return (
		<Suspense fallback={plain}>
			<Body text={text} className={className} />
		</Suspense>
	);
}
