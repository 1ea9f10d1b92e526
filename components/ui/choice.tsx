"use client";

import { Check, Minus } from "lucide-react";
import { Checkbox as RadixCheckbox, RadioGroup as RadixRadio, Switch as RadixSwitch } from "radix-ui";
import { type ReactNode, useId } from "react";
import { cn } from "./cn";

interface ToggleProps {
	checked: boolean;
	onCheckedChange: (checked: boolean) => void;
	label: ReactNode;
	hint?: ReactNode;
	disabled?: boolean;
	/** Keep the label for assistive technology only. */
	hideLabel?: boolean;
	className?: string;
}

function Labelled({
	id,
	label,
	hint,
	hideLabel,
	className,
	children,
}: Pick<ToggleProps, "label" | "hint" | "hideLabel" | "className"> & { id: string; children: ReactNode }) {
	return (
		<span className={cn("flex min-w-0 items-start gap-2 text-13 max-md:min-h-11 max-md:items-center", className)}>
			{children}
			<label htmlFor={id} className={cn("min-w-0", hideLabel && "sr-only")}>
				{label}
				{hint && <span className="block text-12 text-ink-3">{hint}</span>}
			</label>
		</span>
	);
}

export function Checkbox({ checked, onCheckedChange, disabled, indeterminate, ...rest }: ToggleProps & { indeterminate?: boolean }) {
	const id = useId();
	return (
		<Labelled id={id} {...rest}>
			<RadixCheckbox.Root
				id={id}
				checked={indeterminate ? "indeterminate" : checked}
				onCheckedChange={(next) => onCheckedChange(next === true)}
				disabled={disabled}
				className="mt-[3px] grid size-3.5 shrink-0 place-items-center rounded-2 border border-line-ctl bg-bg disabled:bg-sunk data-[state=checked]:border-solid data-[state=checked]:bg-solid data-[state=checked]:text-ink-inv max-md:mt-0 max-md:size-5"
			>
				<RadixCheckbox.Indicator>{indeterminate ? <Minus className="size-3" aria-hidden /> : <Check className="size-3" aria-hidden />}</RadixCheckbox.Indicator>
			</RadixCheckbox.Root>
		</Labelled>
	);
}

/** On or off at once, without a save button. The knob moves and the fill turns to ink: green is kept for verdicts. */
export function Switch({ checked, onCheckedChange, disabled, ...rest }: ToggleProps) {
	const id = useId();
	return (
		<Labelled id={id} {...rest}>
			<RadixSwitch.Root
				id={id}
				checked={checked}
				onCheckedChange={onCheckedChange}
				disabled={disabled}
				className="relative mt-px h-[18px] w-8 shrink-0 rounded-full border border-line-ctl bg-sunk disabled:opacity-60 data-[state=checked]:border-solid data-[state=checked]:bg-solid"
			>
				<RadixSwitch.Thumb className="block size-3 translate-x-[2px] rounded-full bg-line-ctl data-[state=checked]:translate-x-[16px] data-[state=checked]:bg-ink-inv" />
			</RadixSwitch.Root>
		</Labelled>
	);
}

export interface Choice {
	value: string;
	label: ReactNode;
	hint?: ReactNode;
	disabled?: boolean;
}

/** One of a few, all visible. */
export function RadioGroup({
	value,
	onValueChange,
	options,
	label,
	className,
}: {
	value: string | undefined;
	onValueChange: (value: string) => void;
	options: readonly Choice[];
	label: string;
	className?: string;
}) {
	const id = useId();
	return (
		<RadixRadio.Root value={value ?? null} onValueChange={onValueChange} aria-label={label} className={cn("grid gap-1.5", className)}>
			{options.map((option) => (
				<Labelled key={option.value} id={`${id}-${option.value}`} label={option.label} hint={option.hint}>
					<RadixRadio.Item
						id={`${id}-${option.value}`}
						value={option.value}
						disabled={option.disabled}
						className="mt-[3px] grid size-3.5 shrink-0 place-items-center rounded-full border border-line-ctl bg-bg disabled:bg-sunk data-[state=checked]:border-solid max-md:mt-0 max-md:size-5"
					>
						<RadixRadio.Indicator className="size-2 rounded-full bg-solid" />
					</RadixRadio.Item>
				</Labelled>
			))}
		</RadixRadio.Root>
	);
}
