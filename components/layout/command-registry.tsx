"use client";

import { createContext, type ReactNode, use, useCallback, useEffect, useId, useState } from "react";

export interface PaletteCommand {
	id: string;
	label: string;
	/** Further words that find it. */
	keywords?: string;
	icon?: ReactNode;
	run: () => void;
}

type Register = (owner: string, commands: readonly PaletteCommand[]) => () => void;

// Two contexts: whoever registers must not render again when the list changes, or an unstable list would never come to rest.
const RegisterContext = createContext<Register | null>(null);
export const CommandsContext = createContext<ReadonlyMap<string, readonly PaletteCommand[]>>(new Map());

/** Holds the commands of the page on the screen. */
export function CommandRegistry({ children }: { children: ReactNode }) {
	const [commands, setCommands] = useState<ReadonlyMap<string, readonly PaletteCommand[]>>(new Map());
	const register = useCallback<Register>((owner, list) => {
		setCommands((before) => new Map(before).set(owner, list));
		return () =>
			setCommands((before) => {
				const next = new Map(before);
				next.delete(owner);
				return next;
			});
	}, []);
	return (
		<RegisterContext value={register}>
			<CommandsContext value={commands}>{children}</CommandsContext>
		</RegisterContext>
	);
}

/** Adds a page's own acts to ⌘K while it is on the screen. */
export function useCommands(commands: readonly PaletteCommand[]): void {
	const owner = useId();
	const register = use(RegisterContext);
	useEffect(() => register?.(owner, commands), [register, owner, commands]);
}

/** Calls back on ⌘K or Ctrl K, wherever the focus is. */
export function useCommandKey(onToggle: () => void): void {
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return;
			event.preventDefault();
			onToggle();
		};
		window.addEventListener("keydown", onKey);
		return () => window.removeEventListener("keydown", onKey);
	}, [onToggle]);
}
