"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { wireOf } from "@/components/trpc/error-text";
import type { FileChanges, HarnessFiles, HarnessKind, WorkbenchView } from "@/server/harness/contract";
import { effectiveFiles, withoutSaved } from "./draft-files";

/** Long enough that a word is one save, short enough that a crash costs nothing. */
const SAVE_AFTER_MS = 700;
const RETRY_AFTER_MS = 4_000;

export type SaveState =
	| { kind: "saved"; at: Date | null }
	| { kind: "saving" }
	| { kind: "unsaved" }
	| { kind: "failed"; error: unknown }
	| { kind: "conflict" };

export interface Workbench {
	view: WorkbenchView;
	/** Files with all that was typed. */
	files: HarnessFiles;
	/** What this window has not saved yet. */
	local: FileChanges;
	save: SaveState;
	canEdit: boolean;
	write: (changes: FileChanges) => void;
	/** Saves at once; resolves with the workbench as it then is (this render's is older), or null when it could not save. */
	flush: () => Promise<WorkbenchView | null>;
	/** Reads everything again; unsaved text is kept on top. */
	reload: () => Promise<void>;
	/** After a conflict: take the other window's text, or keep one's own on top of it. */
	resolve: (choice: "theirs" | "mine") => Promise<void>;
}

/** Unsaved text also lies in this browser until the server has it: a crash between two saves loses nothing. The next person at this browser has a key of their own. */
function backupKey(personId: string, slug: string, kind: HarnessKind, branch: string): string {
	return `harness-unsaved:${personId}:${slug}:${kind}:${branch}`;
}

function readBackup(key: string): FileChanges {
	try {
		const value: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
		return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).filter(([, text]) => text === null || typeof text === "string")) : {};
	} catch {
		return {};
	}
}

function writeBackup(key: string, local: FileChanges): void {
	try {
		if (Object.keys(local).length === 0) localStorage.removeItem(key);
		else localStorage.setItem(key, JSON.stringify(local));
	} catch {
		// A full or forbidden store only takes the second net away.
	}
}

/** The person's draft of a harness: loaded once, edited here, saved by itself. Null until it is loaded. */
export function useWorkbench(kind: HarnessKind, branch: string, enabled: boolean): { query: ReturnType<typeof useOpen>; workbench: Workbench | null } {
	const { slug, can } = useWorkspace();
	const query = useOpen(slug, kind, branch, enabled);
	const state = useDraft(slug, kind, branch, query.data ?? null, can("draft.edit"));
	return { query, workbench: state };
}

function useOpen(slug: string, kind: HarnessKind, branch: string, enabled: boolean) {
	const trpc = useTRPC();
	return useQuery(
		trpc.harness.open.queryOptions({ workspace: slug, kind, branch }, { enabled, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false }),
	);
}

function useDraft(slug: string, kind: HarnessKind, branch: string, view: WorkbenchView | null, canEdit: boolean): Workbench | null {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const key = backupKey(useWorkspace().shell.person.id, slug, kind, branch);
	const openKey = useMemo(() => trpc.harness.open.queryKey({ workspace: slug, kind, branch }), [trpc, slug, kind, branch]);
	const [local, setLocal] = useState<FileChanges>({});
	const [save, setSave] = useState<SaveState>({ kind: "saved", at: null });
	const mutation = useMutation(trpc.harness.draftSave.mutationOptions({ meta: { silent: true } }));
	const current = useRef({ local, view, running: null as Promise<WorkbenchView | null> | null });
	current.current.local = local;
	current.current.view = view;
	const mutate = mutation.mutateAsync;

	useEffect(() => {
		const left = readBackup(key);
		setLocal(left);
		setSave(Object.keys(left).length > 0 ? { kind: "unsaved" } : { kind: "saved", at: null });
	}, [key]);

	const saveOnce = useCallback(async (): Promise<WorkbenchView | null> => {
		while (Object.keys(current.current.local).length > 0) {
			const sent = current.current.local;
			const known = current.current.view;
			if (!known) return null;
			setSave({ kind: "saving" });
			try {
				const saved = await mutate({ workspace: slug, kind, branch, version: known.draft?.version ?? 0, patch: sent });
				const next: WorkbenchView = { ...known, ...saved };
				queryClient.setQueryData(openKey, next);
				current.current.view = next;
				current.current.local = withoutSaved(current.current.local, sent);
				setLocal(current.current.local);
				writeBackup(key, current.current.local);
				setSave({ kind: "saved", at: saved.draft?.updatedAt ?? new Date() });
			} catch (error) {
				setSave(wireOf(error)?.reason === "draft-moved" ? { kind: "conflict" } : { kind: "failed", error });
				return null;
			}
		}
		return current.current.view;
	}, [mutate, slug, kind, branch, queryClient, openKey, key]);

	const flush = useCallback((): Promise<WorkbenchView | null> => {
		// One save at a time: the next one takes what was typed meanwhile.
		current.current.running ??= saveOnce().finally(() => {
			current.current.running = null;
		});
		return current.current.running;
	}, [saveOnce]);

	const loaded = view !== null;
	useEffect(() => {
		// Every key gives a new `local` and so starts the wait again.
		if (Object.keys(local).length === 0 || !canEdit || !loaded || save.kind === "saving" || save.kind === "conflict") return;
		const timer = setTimeout(() => void flush(), save.kind === "failed" ? RETRY_AFTER_MS : SAVE_AFTER_MS);
		return () => clearTimeout(timer);
	}, [local, canEdit, loaded, save.kind, flush]);

	const write = useCallback(
		(changes: FileChanges) => {
			setLocal((before) => {
				const next = { ...before, ...changes };
				writeBackup(key, next);
				return next;
			});
			setSave((before) => (before.kind === "conflict" ? before : { kind: "unsaved" }));
		},
		[key],
	);

	const reload = useCallback(async () => {
		await queryClient.invalidateQueries({ queryKey: openKey });
	}, [queryClient, openKey]);

	const resolve = useCallback(
		async (choice: "theirs" | "mine") => {
			if (choice === "theirs") {
				setLocal({});
				current.current.local = {};
				writeBackup(key, {});
			}
			await reload();
			setSave(choice === "theirs" ? { kind: "saved", at: null } : { kind: "unsaved" });
		},
		[key, reload],
	);

	const files = useMemo(() => (view ? effectiveFiles(view.baseFiles, view.draft?.changes ?? {}, local) : {}), [view, local]);
	if (!view) return null;
	return { view, files, local, save, canEdit, write, flush, reload, resolve };
}
