"use client";

import { useNow } from "next-intl";
import { useSyncExternalStore } from "react";

const TICK_MS = 30_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let current = 0;

/** The same moment between two ticks, as a snapshot has to be; never older than that, even where nobody listened for a while. */
function read(): number {
	const now = Date.now();
	if (now - current >= TICK_MS) current = now;
	return current;
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	timer ??= setInterval(() => {
		current = Date.now();
		for (const each of listeners) each();
	}, TICK_MS);
	return () => {
		listeners.delete(listener);
		if (listeners.size > 0) return;
		clearInterval(timer);
		timer = undefined;
	};
}

/**
 * Now, in milliseconds, at most half a minute old. `useNow` of next-intl begins with the moment at which the page was
 * rendered, in a component that appears an hour later too; this one does so only while the page hydrates.
 */
export function useMovingNow(): number {
	const rendered = useNow().getTime();
	return useSyncExternalStore(subscribe, read, () => rendered);
}
