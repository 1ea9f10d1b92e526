"use client";

import { ToggleGroup } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";

/** Two to five views of one thing, side by side; on a phone in as many rows as it takes. */
export function Segmented({
	value,
	onValueChange,
	options,
	label,
	className,
}: {
	value: string;
	onValueChange: (value: string) => void;
	options: readonly { value: string; label: ReactNode; count?: number }[];
	label: string;
	className?: string;
}) {
	return (
		<ToggleGroup.Root
			type="single"
			value={value}
			onValueChange={(next) => next && onValueChange(next)}
			aria-label={label}
			className={cn("inline-flex overflow-hidden rounded-4 border border-line-2 max-md:flex-wrap md:justify-self-start", className)}
		>
			{options.map((option) => (
				<ToggleGroup.Item
					key={option.value}
					value={option.value}
					className="inline-flex h-[22px] items-center gap-1.5 whitespace-nowrap border-line border-l bg-bg px-2.5 text-12 text-ink-2 first:border-l-0 hover:bg-hover focus-visible:outline-offset-[-2px] max-md:grow max-md:justify-center max-md:shadow-[0_-1px_0_var(--line)] data-[state=on]:bg-sunk data-[state=on]:font-semibold data-[state=on]:text-ink max-md:h-11 max-md:min-w-11 max-md:gap-1 max-md:px-2"
				>
					{option.label}
					{option.count !== undefined && <span className="font-normal text-ink-3">{option.count}</span>}
				</ToggleGroup.Item>
			))}
		</ToggleGroup.Root>
	);
}
