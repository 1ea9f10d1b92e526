"use client";

import { useSubscription } from "@trpc/tanstack-react-query";
import { createContext, type ReactNode, use, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTRPC } from "./client";
import { isTransient } from "./error-text";
import { useThrottled } from "./use-throttled";

/** After the stream was refused by what may pass, so long. */
const AGAIN_MS = 5_000;

type Listener = { topics: readonly string[]; onChange: () => void };

interface Live {
	add: (owner: string, listener: Listener) => () => void;
	/** Whether the stream is there; figures may be old when it is not. */
	connected: boolean;
}

const LiveContext = createContext<Live | null>(null);

/** One event stream for all that a tab watches: browsers allow six to a host under HTTP/1.1, and a tab must not use them up. */
export function LiveProvider({ workspace, children }: { workspace: string; children: ReactNode }) {
	const trpc = useTRPC();
	const listeners = useRef(new Map<string, Listener>());
	const [topics, setTopics] = useState<readonly string[]>([]);

	const settle = useCallback(() => {
		const all = [...new Set([...listeners.current.values()].flatMap((listener) => listener.topics))].sort((a, b) => a.localeCompare(b));
		setTopics((before) => (before.join() === all.join() ? before : all));
	}, []);
	const add = useCallback(
		(owner: string, listener: Listener) => {
			listeners.current.set(owner, listener);
			settle();
			return () => {
				listeners.current.delete(owner);
				settle();
			};
		},
		[settle],
	);
	const subscription = useSubscription(
		trpc.workspace.changes.subscriptionOptions(
			{ workspace, topics: [...topics] },
			{
				enabled: topics.length > 0,
				onData: ({ data }) => {
					for (const listener of listeners.current.values()) if (listener.topics.some((topic) => data.topics.includes(topic))) listener.onChange();
				},
			},
		),
	);
	// A dropped connection is opened again by the browser; after an answer that is no stream (a proxy's 502) it gives up.
	const { status, error, reset } = subscription;
	useEffect(() => {
		if (status !== "error" || !isTransient(error)) return;
		const timer = setTimeout(reset, AGAIN_MS);
		return () => clearTimeout(timer);
	}, [status, error, reset]);
	const connected = topics.length === 0 || subscription.status === "pending";
	const value = useMemo(() => ({ add, connected }), [add, connected]);
	return <LiveContext value={value}>{children}</LiveContext>;
}

/** Changes of a busy run come many times a second: so long at least between two readings. */
const READ_MS = 250;

/**
 * Calls `onChange` when one of the topics changed (and once when the stream opens): invalidate the queries that show it and
 * return when they are read. It is not called again before, so that a reading is never broken off by the next change; the
 * last change is always read. Topics: `evolution`, `run:<id>`, `proposal:<id>`. Returns whether the stream is there.
 */
export function useLive(topics: readonly string[], onChange: () => Promise<unknown>, ms = READ_MS): boolean {
	const live = use(LiveContext);
	const owner = useId();
	const read = useThrottled(onChange, ms);
	const key = topics.join();
	const add = live?.add;
	useEffect(() => {
		if (!add || key === "") return;
		return add(owner, { topics: key.split(","), onChange: read });
	}, [add, owner, key, read]);
	return live?.connected ?? false;
}
