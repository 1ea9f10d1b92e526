"use client";

import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { Toaster as Sonner, toast } from "sonner";

// The toaster brings a font of its own; ours carries the CJK fallbacks.
const frame = "flex font-sans w-max max-w-[92vw] items-center gap-2.5 rounded-6 border border-line-2 bg-pop py-2 pr-2 pl-3 text-13 text-ink shadow-pop";

/** Says what the person just did. `undo` takes it back for eight seconds. */
export function toastDone(message: ReactNode, options: { undo?: { label: string; run: () => void }; action?: { label: string; run: () => void } } = {}): void {
	const act = options.undo ?? options.action;
	toast.custom(
		(id) => (
			<div className={frame}>
				<Check className="size-3.5 text-up" aria-hidden />
				<span className="min-w-0">{message}</span>
				{act && (
					<button
						type="button"
						className="h-6 rounded-4 px-2 text-12 text-ink-2 hover:bg-hover hover:text-ink"
						onClick={() => {
							act.run();
							toast.dismiss(id);
						}}
					>
						{act.label}
					</button>
				)}
				<CloseToast id={id} />
			</div>
		),
		{ duration: act ? 8_000 : 4_000 },
	);
}

/** Says that what the person just did failed, and what helps; stays until it is closed. One id = one toast. */
export function toastFailed(title: ReactNode, detail?: ReactNode, id?: string): void {
	toast.custom(
		(toastId) => (
			<div className={`${frame} items-start`} role="alert">
				<X className="mt-[3px] size-3.5 flex-none text-down" aria-hidden />
				<span className="min-w-0 max-w-[420px]">
					<b className="block font-semibold">{title}</b>
					{detail && <span className="block text-12 text-ink-2">{detail}</span>}
				</span>
				<CloseToast id={toastId} />
			</div>
		),
		{ id, duration: 12_000 },
	);
}

function CloseToast({ id }: { id: string | number }) {
	return (
		<button
			type="button"
			aria-label="×"
			onClick={() => toast.dismiss(id)}
			className="grid size-6 flex-none place-items-center rounded-4 text-ink-3 hover:bg-hover"
		>
			<X className="size-3" aria-hidden />
		</button>
	);
}

/**
 * Where toasts appear; once, in the root layout. Every page's main actions are at the right, a phone's above the tab bar:
 * a toast beside them never lies on what the person presses next. It stands beside the rail, whatever its width.
 */
export function Toaster({ label }: { label: string }) {
	return (
		<Sonner
			position="bottom-left"
			containerAriaLabel={label}
			gap={8}
			offset={{ bottom: 16, left: "var(--toast-left)" }}
			mobileOffset={{ bottom: 132 }}
			visibleToasts={4}
		/>
	);
}
