import { Check } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "./cn";

export interface Step {
	id: string;
	title: ReactNode;
	/** Who did what and when, or what is missing. */
	note?: ReactNode;
	state: "done" | "current" | "todo";
	href?: string;
}

/** The steps of a loop in a row (stacked at 390 px); each leads to its page. */
export function Stepper({ steps, label }: { steps: readonly Step[]; label: string }) {
	return (
		<nav aria-label={label}>
			<ol className="grid auto-cols-fr grid-flow-col gap-3 max-md:grid-flow-row">
				{steps.map((step, index) => {
					const body = (
						<>
							<span className="flex items-center gap-2">
								<StepMark state={step.state} index={index} />
								<b className={cn("font-semibold text-13", step.state === "todo" && "text-ink-2")}>{step.title}</b>
							</span>
							{step.note && <span className="mt-0.5 block text-12 text-ink-2">{step.note}</span>}
						</>
					);
					return (
						<li
							key={step.id}
							aria-current={step.state === "current" ? "step" : undefined}
							className={cn(
								"min-w-0 border-t-[3px] pt-2",
								step.state === "done" ? "border-ink-3" : step.state === "current" ? "border-accent-mark" : "border-line-2",
							)}
						>
							{step.href ? (
								<Link href={step.href} className="block rounded-2 text-ink no-underline hover:text-accent">
									{body}
								</Link>
							) : (
								body
							)}
						</li>
					);
				})}
			</ol>
		</nav>
	);
}

/** The number of a step, or its check. */
export function StepMark({ state, index }: { state: Step["state"]; index: number }) {
	return (
		<span
			aria-hidden
			className={cn(
				"grid size-5 flex-none place-items-center rounded-full text-[11px]",
				state === "current" ? "bg-accent-mark font-semibold text-bg" : "text-ink-2 shadow-[inset_0_0_0_1px_var(--line-ctl)]",
			)}
		>
			{state === "done" ? <Check className="size-3" /> : index + 1}
		</span>
	);
}
