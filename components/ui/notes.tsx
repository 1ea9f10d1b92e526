import { CircleX, Info, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { cn } from "./cn";

/** Teaches what will stand here and offers the step that brings it. */
export function EmptyState({ title, children, action, className }: { title: ReactNode; children?: ReactNode; action?: ReactNode; className?: string }) {
	return (
		<div className={cn("max-w-[560px] py-8", className)}>
			<h2 className="font-semibold text-16">{title}</h2>
			{children && <div className="mt-1 text-pretty text-13 text-ink-2">{children}</div>}
			{action && <div className="mt-3 flex flex-wrap items-center gap-2">{action}</div>}
		</div>
	);
}

export interface ErrorNoteProps {
	title: ReactNode;
	/** What happened, exactly. */
	happened?: ReactNode;
	/** What was not lost. */
	kept?: ReactNode;
	/** What to do now. */
	next?: ReactNode;
	/** Where a person reports it: the reference of the log line. */
	reference?: string | null;
	actions?: ReactNode;
	/** Red for what failed, ochre for what only needs attention. */
	tone?: "down" | "unsure";
	className?: string;
}

/** An error that says what happened, what was kept and what to do. */
export function ErrorNote({ title, happened, kept, next, reference, actions, tone = "down", className }: ErrorNoteProps) {
	const t = useTranslations("common.note");
	const rows = [
		[t("happened"), happened],
		[t("kept"), kept],
		[t("next"), next],
		[t("reference"), reference],
	] as const;
	const Icon = tone === "down" ? CircleX : TriangleAlert;
	return (
		<section role="alert" className={cn("rounded-6 border border-line-2 px-3.5 pt-2.5 pb-3", className)}>
			<h2 className="flex items-center gap-2 font-semibold text-14">
				<Icon className={cn("size-4", tone === "down" ? "text-down" : "text-unsure")} aria-hidden />
				{title}
			</h2>
			<dl className="mt-1.5 grid grid-cols-[max-content_1fr] gap-x-3.5 gap-y-0.5 text-13">
				{rows
					.filter(([, value]) => value)
					.map(([name, value]) => (
						<div key={name} className="contents">
							<dt className="text-ink-3">{name}</dt>
							<dd className="min-w-0 break-words">{value}</dd>
						</div>
					))}
			</dl>
			{actions && <div className="mt-2.5 flex flex-wrap items-center gap-2">{actions}</div>}
		</section>
	);
}

/** A quiet line that qualifies what is below it. */
export function Notice({ tone = "plain", children, className }: { tone?: "plain" | "unsure" | "down"; children: ReactNode; className?: string }) {
	const Icon = tone === "plain" ? Info : TriangleAlert;
	return (
		<p className={cn("flex items-start gap-2 rounded-4 border border-line px-2.5 py-1.5 text-12 text-ink-2", className)}>
			<Icon className={cn("mt-0.5 size-3.5", tone === "plain" ? "text-ink-3" : tone === "down" ? "text-down" : "text-unsure")} aria-hidden />
			<span className="min-w-0">{children}</span>
		</p>
	);
}
