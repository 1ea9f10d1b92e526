"use client";

import { Check } from "lucide-react";
import { DropdownMenu as RadixMenu, Popover as RadixPopover, Tooltip as RadixTooltip } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";

const floating = "z-50 rounded-6 border border-line-2 bg-pop shadow-pop data-[state=open]:animate-in data-[state=open]:fade-in-0";

/** A small surface beside what opened it. */
export function Popover({
	trigger,
	children,
	align = "start",
	className,
	open,
	onOpenChange,
}: {
	trigger: ReactNode;
	children: ReactNode;
	align?: "start" | "center" | "end";
	className?: string;
	open?: boolean;
	onOpenChange?: (open: boolean) => void;
}) {
	return (
		<RadixPopover.Root open={open} onOpenChange={onOpenChange}>
			<RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
			<RadixPopover.Portal>
				<RadixPopover.Content align={align} sideOffset={4} collisionPadding={8} className={cn(floating, "max-w-[min(92vw,520px)] p-3 text-13", className)}>
					{children}
				</RadixPopover.Content>
			</RadixPopover.Portal>
		</RadixPopover.Root>
	);
}

export type MenuItem =
	| {
			label: ReactNode;
			/** Second line or key hint at the right. */
			hint?: ReactNode;
			icon?: ReactNode;
			onSelect: () => void;
			danger?: boolean;
			disabled?: boolean;
			/** Draws a check: one of several is in force. */
			checked?: boolean;
	  }
	| { separator: true }
	| { heading: ReactNode };

/** A list of acts or choices; arrow keys and typing move in it. */
export function DropdownMenu({ trigger, items, align = "end" }: { trigger: ReactNode; items: readonly MenuItem[]; align?: "start" | "end" }) {
	return (
		<RadixMenu.Root modal={false}>
			<RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
			<RadixMenu.Portal>
				<RadixMenu.Content align={align} sideOffset={4} collisionPadding={8} className={cn(floating, "min-w-[180px] max-w-[92vw] p-1")}>
					{items.map((item, index) => {
						// Menus are built from constants: the position is the identity.
						const key = `${index}`;
						if ("separator" in item) return <RadixMenu.Separator key={key} className="mx-1 my-1 h-px bg-line" />;
						if ("heading" in item)
							return (
								<RadixMenu.Label key={key} className="px-2 pt-1.5 pb-0.5 text-12 text-ink-3">
									{item.heading}
								</RadixMenu.Label>
							);
						return (
							<RadixMenu.Item
								key={key}
								disabled={item.disabled}
								onSelect={item.onSelect}
								className={cn(
									"flex min-h-7 cursor-default select-none items-center gap-2 rounded-4 px-2 text-13 outline-none data-disabled:text-ink-3 data-highlighted:bg-accent-soft max-md:min-h-11",
									item.danger && "text-down",
								)}
							>
								{item.checked !== undefined && <span className="w-3.5">{item.checked && <Check className="size-3.5 text-accent" aria-hidden />}</span>}
								{item.icon}
								<span className="min-w-0 truncate">{item.label}</span>
								{item.hint && <span className="ml-auto pl-4 text-12 text-ink-3">{item.hint}</span>}
							</RadixMenu.Item>
						);
					})}
				</RadixMenu.Content>
			</RadixMenu.Portal>
		</RadixMenu.Root>
	);
}

export const TooltipProvider = RadixTooltip.Provider;
