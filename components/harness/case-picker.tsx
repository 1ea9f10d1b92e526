"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { cn } from "@/components/ui/cn";
import { useFieldIds } from "@/components/ui/field";
import { Words } from "@/components/ui/person";
import { type CaseChoice, readTyped, suggest } from "./case-choices";

const SHOWN = 50;

/** A list that opens at the end of a dialog would open below its edge. */
const intoSight = (list: HTMLElement | null) => list?.scrollIntoView({ block: "nearest" });

function Chip({ id, options, onRemove }: { id: string; options: readonly CaseChoice[]; onRemove: () => void }) {
	const t = useTranslations("harness.propose");
	const known = options.find((option) => option.id === id);
	const name = known?.key ?? id;
	return (
		<span className="inline-flex h-5 max-w-full items-center gap-0.5 rounded-4 bg-accent-soft pl-1.5 font-mono text-12 max-md:h-8" title={known?.message}>
			<span className="truncate">{name}</span>
			<button
				type="button"
				aria-label={t("remove", { name })}
				onClick={onRemove}
				className="grid size-5 place-items-center rounded-2 text-ink-3 hover:text-ink max-md:size-8"
			>
				<X className="size-3" aria-hidden />
			</button>
		</span>
	);
}

/**
 * Several cases: found by id, message or reason, or typed. Keys: arrows choose, Enter or a comma takes, Backspace in an empty
 * field takes the last one out, Escape closes the list.
 */
export function CasePicker({
	value,
	onChange,
	options,
	known,
	label,
}: {
	value: readonly string[];
	onChange: (ids: string[]) => void;
	/** What is offered. */
	options: readonly CaseChoice[];
	/** What a typed id may mean. */
	known: readonly CaseChoice[];
	label: string;
}) {
	const t = useTranslations("harness.propose");
	const listId = useId();
	const input = useRef<HTMLInputElement>(null);
	const [typed, setTyped] = useState("");
	const [open, setOpen] = useState(false);
	// −1: nothing is pointed at, Enter takes what is typed.
	const [active, setActive] = useState(-1);
	const found = suggest(options, value, typed);
	const shown = found.slice(0, SHOWN);
	const pointed = active < 0 ? undefined : shown[Math.min(active, shown.length - 1)];

	const take = (ids: readonly string[]) => {
		onChange([...new Set([...value, ...ids])]);
		setTyped("");
		setActive(-1);
	};
	const type = (text: string) => {
		setOpen(true);
		setActive(-1);
		if (/[,，、;；\n]/.test(text)) take(readTyped(text, known));
		else setTyped(text);
	};
	const point = (step: 1 | -1) => {
		setOpen(true);
		if (shown.length > 0) setActive((at) => (at < 0 ? (step > 0 ? 0 : shown.length - 1) : (at + step + shown.length) % shown.length));
	};
	const onKeyDown = (event: KeyboardEvent) => {
		// Enter and Escape of an input method belong to it.
		if (event.nativeEvent.isComposing) return;
		if (event.key === "ArrowDown" || event.key === "ArrowUp") point(event.key === "ArrowDown" ? 1 : -1);
		else if (event.key === "Enter") {
			const only = found.length === 1 && typed.trim() !== "" ? found[0] : undefined;
			const chosen = pointed ?? only;
			take(chosen ? [chosen.id] : readTyped(typed, known));
		} else if (event.key === "Escape" && open) setOpen(false);
		else if (event.key === "Backspace" && typed === "") {
			onChange(value.slice(0, -1));
			return;
		} else return;
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a click beside the field goes into it; the keys are the field's
		<div
			className="relative flex min-h-7 flex-wrap items-center gap-1 rounded-4 border border-line-ctl bg-bg px-1 py-[3px] focus-within:border-accent focus-within:outline-1 focus-within:outline-accent max-md:min-h-11"
			onClick={() => input.current?.focus()}
			onBlur={(event) => {
				if (event.currentTarget.contains(event.relatedTarget)) return;
				setOpen(false);
				// What was typed and not taken is meant.
				if (typed.trim()) take(readTyped(typed, known));
			}}
		>
			{value.map((id) => (
				<Chip
					key={id}
					id={id}
					options={known}
					onRemove={() => {
						onChange(value.filter((other) => other !== id));
						input.current?.focus();
					}}
				/>
			))}
			<input
				{...useFieldIds()}
				ref={input}
				role="combobox"
				aria-label={label}
				aria-expanded={open && shown.length > 0}
				aria-controls={listId}
				aria-autocomplete="list"
				aria-activedescendant={open && pointed ? `${listId}-${pointed.id}` : undefined}
				autoComplete="off"
				spellCheck={false}
				value={typed}
				placeholder={value.length === 0 ? t("find") : ""}
				onChange={(event) => type(event.target.value)}
				onFocus={() => setOpen(true)}
				onKeyDown={onKeyDown}
				className="min-w-24 flex-1 bg-transparent px-1 text-13 outline-none max-md:text-16"
			/>
			{open && shown.length > 0 && (
				<ul
					id={listId}
					ref={intoSight}
					// biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a combobox
					role="listbox"
					aria-label={label}
					className="absolute top-full right-0 left-0 z-10 mt-1 max-h-56 overflow-y-auto rounded-6 border border-line-2 bg-pop p-1 shadow-pop"
				>
					{shown.map((option) => (
						// biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: focus stays in the field, which points at the option
						<li
							key={option.id}
							id={`${listId}-${option.id}`}
							// biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a combobox
							role="option"
							aria-selected={option === pointed}
							ref={(node) => {
								if (option === pointed) node?.scrollIntoView({ block: "nearest" });
							}}
							onPointerDown={(event) => event.preventDefault()}
							onClick={() => take([option.id])}
							className={cn(
								"flex min-h-7 cursor-default items-center gap-2 rounded-4 px-2 text-12 max-md:min-h-11",
								option === pointed ? "bg-accent-soft" : "hover:bg-hover",
							)}
						>
							<code className="flex-none">{option.key}</code>
							<Words className="min-w-0 flex-1 truncate">{option.message}</Words>
							<span className="flex-none text-ink-3">{option.why.join(", ")}</span>
						</li>
					))}
				</ul>
			)}
		</div>
	);
}
