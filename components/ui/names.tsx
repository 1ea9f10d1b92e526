"use client";

import { Words } from "./person";
import { useName } from "./use-name";

/** A name as the reader's language has it (see `useName`), marked with its language. */
export function Name({ children, className }: { children: string; className?: string }) {
	return <Words className={className}>{useName()(children)}</Words>;
}
