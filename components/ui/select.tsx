"use client";

import { Check, ChevronDown } from "lucide-react";
import { Select as RadixSelect } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { useFieldIds } from "./field";

export interface SelectOption {
	value: string;
	label: ReactNode;
	/** A quiet note at the right. */
	hint?: ReactNode;
	disabled?: boolean;
}

export interface SelectProps {
	value: string | undefined;
	onValueChange: (value: string) => void;
	options: readonly SelectOption[];
	/** Accessible name where no Field is around; also shown before the value with `prefix`. */
	label?: string;
	/** Show the label inside the control, as "Room  光感润颜面膜". */
	prefix?: boolean;
	placeholder?: string;
	disabled?: boolean;
	size?: "md" | "sm";
	className?: string;
}

// Radix reserves the empty string for "nothing chosen"; an option with an empty value travels under this name.
const EMPTY = "\u0000empty";

/** One of several; opens with the keyboard, finds by typing. */
export function Select({ value, onValueChange, options, label, prefix, placeholder, disabled, size = "md", className }: SelectProps) {
	return (
		<RadixSelect.Root value={value === "" ? EMPTY : value} onValueChange={(next) => onValueChange(next === EMPTY ? "" : next)} disabled={disabled}>
			<RadixSelect.Trigger
				{...useFieldIds()}
				aria-label={label}
				className={cn(
					"inline-flex min-w-0 items-center gap-1.5 rounded-4 border border-line-ctl bg-bg px-2 text-ink hover:bg-hover disabled:bg-sunk disabled:text-ink-3 data-placeholder:text-ink-3 max-md:h-11",
					size === "md" ? "h-7 text-13" : "h-6 border-line-2 text-12",
					className,
				)}
			>
				{prefix && label && <span className="shrink-0 text-ink-2">{label}</span>}
				<span className={cn("min-w-0 flex-1 truncate text-left", prefix && "font-semibold")}>
					<RadixSelect.Value placeholder={placeholder} />
				</span>
				<ChevronDown className="size-3.5 text-ink-3" aria-hidden />
			</RadixSelect.Trigger>
			<RadixSelect.Portal>
				<RadixSelect.Content
					position="popper"
					sideOffset={4}
					className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden rounded-6 border border-line-2 bg-pop p-1 shadow-pop"
				>
					<RadixSelect.Viewport>
						{options.map((option) => (
							<RadixSelect.Item
								key={option.value}
								value={option.value === "" ? EMPTY : option.value}
								disabled={option.disabled}
								className="flex min-h-7 cursor-default select-none items-center gap-2 rounded-4 px-2 text-13 outline-none data-disabled:text-ink-3 data-highlighted:bg-accent-soft max-md:min-h-11"
							>
								<RadixSelect.ItemIndicator className="-ml-0.5">
									<Check className="size-3.5 text-accent" aria-hidden />
								</RadixSelect.ItemIndicator>
								<RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
								{option.hint && <span className="ml-auto pl-4 text-12 text-ink-3">{option.hint}</span>}
							</RadixSelect.Item>
						))}
					</RadixSelect.Viewport>
				</RadixSelect.Content>
			</RadixSelect.Portal>
		</RadixSelect.Root>
	);
}
