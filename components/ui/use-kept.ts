"use client";

import { useSyncExternalStore } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";

const listeners = new Set<() => void>();
/** What was read or written once, by key: a snapshot has to stay the same object. */
const known = new Map<string, unknown>();

const subscribe = (listener: () => void) => {
	listeners.add(listener);
	return () => void listeners.delete(listener);
};

function load(key: string): unknown {
	try {
		return JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined;
	} catch {
		return undefined;
	}
}

function read(key: string): unknown {
	if (!known.has(key)) known.set(key, load(key));
	return known.get(key);
}

function write(key: string, value: unknown): void {
	known.set(key, value);
	try {
		if (value === undefined) sessionStorage.removeItem(key);
		else sessionStorage.setItem(key, JSON.stringify(value));
	} catch {
		// No storage, or a full one: it is kept as long as the page is open.
	}
	for (const listener of listeners) listener();
}

/**
 * State of a form that may close before it is sent: what was typed stays for this person under `key`, in this tab, until
 * `forget` is called (when it was sent, or given up in so many words). `initial` stands as long as nothing was typed.
 */
export function useKept<T>(key: string, initial: T): readonly [value: T, keep: (next: T | ((before: T) => T)) => void, forget: () => void] {
	const { shell } = useWorkspace();
	const own = `kept:${shell.person.id}:${key}`;
	const kept = useSyncExternalStore(
		subscribe,
		() => read(own),
		() => undefined,
	);
	const orInitial = (stored: unknown) => (stored === undefined ? initial : (stored as T));
	const keep = (next: T | ((before: T) => T)) => write(own, next instanceof Function ? next(orInitial(read(own))) : next);
	return [orInitial(kept), keep, () => write(own, undefined)];
}
