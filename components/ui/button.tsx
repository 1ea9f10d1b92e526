"use client";

import { cva, type VariantProps } from "class-variance-authority";
import { Lock } from "lucide-react";
import { Slot } from "radix-ui";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "./cn";

const button = cva(
	"inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-4 border no-underline disabled:cursor-not-allowed disabled:border-line disabled:bg-sunk disabled:font-normal disabled:text-ink-3 aria-disabled:cursor-not-allowed aria-disabled:border-line aria-disabled:bg-sunk aria-disabled:font-normal aria-disabled:text-ink-3",
	{
		variants: {
			variant: {
				outline: "border-line-2 bg-bg text-ink hover:border-line-ctl hover:bg-hover",
				solid: "border-solid bg-solid font-semibold text-ink-inv hover:bg-ink-2",
				quiet: "border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink",
				danger: "border-line-2 bg-bg text-down hover:border-down-line hover:bg-down-soft",
				"danger-solid": "border-down bg-down font-semibold text-bg hover:opacity-90",
			},
			size: {
				md: "h-7 px-2.5 text-13 max-md:h-11 max-md:px-4",
				sm: "h-6 px-2 text-12 max-md:h-9 max-md:px-3",
			},
			icon: { true: "px-0 max-md:px-0", false: "" },
		},
		compoundVariants: [
			{ icon: true, size: "md", class: "w-7 max-md:w-11" },
			{ icon: true, size: "sm", class: "w-6 max-md:w-9" },
		],
		defaultVariants: { variant: "outline", size: "md", icon: false },
	},
);

export interface ButtonProps extends ComponentProps<"button">, Omit<VariantProps<typeof button>, "icon"> {
	/** Style the one child (a link) as a button. */
	asChild?: boolean;
	/** The act is under way: the button is disabled and says so to assistive technology. */
	busy?: boolean;
}

/** One solid button per region; the rest outline or quiet. Red text only for what destroys or refuses. */
export function Button({ className, variant, size, asChild, busy, disabled, type, ...props }: ButtonProps) {
	const Component = asChild ? Slot.Root : "button";
	return (
		<Component
			{...(asChild ? {} : { type: type ?? "button", disabled: disabled || busy })}
			aria-busy={busy || undefined}
			className={cn(button({ variant, size }), busy && "animate-pulse", className)}
			{...props}
		/>
	);
}

export interface IconButtonProps extends Omit<ButtonProps, "children"> {
	/** What it does: an icon alone says nothing to a screen reader. */
	label: string;
	children: ReactNode;
}

/** A square button with an icon; `label` is its name and its title. */
export function IconButton({ label, className, variant = "quiet", size, type, busy, disabled, asChild: _, ...props }: IconButtonProps) {
	return (
		<button
			type={type ?? "button"}
			aria-label={label}
			title={label}
			disabled={disabled || busy}
			className={cn(button({ variant, size, icon: true }), className)}
			{...props}
		/>
	);
}

export interface GuardedButtonProps extends ButtonProps {
	/** Why it cannot be done now; null when it can. */
	reason: ReactNode | null | undefined;
	/** Where the reason stands. */
	place?: "beside" | "below";
}

/** A button that explains its refusal in place: a lock, and the reason as text beside it, never only a tooltip. */
export function GuardedButton({ reason, place = "beside", children, className, ...props }: GuardedButtonProps) {
	const id = useId();
	if (!reason)
		return (
			<Button className={className} {...props}>
				{children}
			</Button>
		);
	const { onClick: _, ...rest } = props;
	return (
		<span
			data-guarded
			className={cn("flex min-w-0 gap-x-3 gap-y-1", place === "below" ? "flex-col items-start" : "items-center max-md:flex-col max-md:items-start")}
		>
			<Button {...rest} type="button" disabled={false} aria-disabled="true" aria-describedby={id} className={className}>
				<Lock className="size-3.5" aria-hidden />
				{children}
			</Button>
			<DisabledReason id={id}>{reason}</DisabledReason>
		</span>
	);
}

/** The text of a refusal: who can, and the next step. */
export function DisabledReason({ id, children, className }: { id?: string; children: ReactNode; className?: string }) {
	return (
		<span id={id} className={cn("min-w-0 text-pretty text-12 text-ink-2", className)}>
			{children}
		</span>
	);
}
