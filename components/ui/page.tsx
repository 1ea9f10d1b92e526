import { Check, CircleDashed, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";

/** The head of a page: the one sentence that says where we are, what qualifies it, and the acts. */
export function PageHeader({
	title,
	lead,
	actions,
	compact,
	className,
}: {
	title: ReactNode;
	lead?: ReactNode;
	actions?: ReactNode;
	/** A work surface: 16/24 title, less air. */
	compact?: boolean;
	className?: string;
}) {
	return (
		<header
			className={cn(
				"grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-8 gap-y-2 border-line border-b max-md:grid-cols-1",
				compact ? "px-4 py-2.5" : "px-6 pt-5 pb-4 max-md:p-4",
				className,
			)}
		>
			<div className="min-w-0">
				<h1 className={compact ? "font-semibold text-16" : "say"}>{title}</h1>
				{lead && <div className={cn("mt-1 max-w-[62em] text-pretty text-ink-2", compact ? "text-12" : "text-13")}>{lead}</div>}
			</div>
			{actions && <div className="flex flex-wrap items-start gap-2">{actions}</div>}
		</header>
	);
}

/** A section's heading row: name, what it rests on, controls at the right. */
export function SectionHead({ title, meta, children, className }: { title: ReactNode; meta?: ReactNode; children?: ReactNode; className?: string }) {
	return (
		<div className={cn("flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 py-1.5", className)}>
			<h2 className="whitespace-nowrap font-semibold text-13">{title}</h2>
			{meta && <span className="text-12 text-ink-3">{meta}</span>}
			{children && <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-12 max-md:ml-0 max-md:w-full">{children}</div>}
		</div>
	);
}

/** Content beside a 304 px column of context; one column on a narrow screen. */
export function Split({ children, side, className }: { children: ReactNode; side: ReactNode; className?: string }) {
	return (
		<div className={cn("grid grid-cols-[minmax(0,1fr)_304px] max-lg:grid-cols-1", className)}>
			<div className="min-w-0">{children}</div>
			<aside className="min-w-0 border-line border-l max-lg:border-t max-lg:border-l-0">{side}</aside>
		</div>
	);
}

/** One block of the side column. */
export function SideSection({ title, meta, children }: { title: ReactNode; meta?: ReactNode; children: ReactNode }) {
	return (
		<section className="border-line border-t px-5 pt-3 pb-4 text-12 first:border-t-0 max-md:px-4">
			<h2 className="mb-2 flex flex-wrap items-baseline gap-x-2 font-semibold text-13">
				{title}
				{meta && <span className="ml-auto font-normal text-12 text-ink-3">{meta}</span>}
			</h2>
			{children}
		</section>
	);
}

/** Named values: in a line (`row`) under a heading, or as a list with the names at the left. */
export function Facts({
	items,
	layout = "row",
	className,
}: {
	items: readonly (readonly [ReactNode, ReactNode] | null | false)[];
	layout?: "row" | "list";
	className?: string;
}) {
	const shown = items.filter((item) => item !== null && item !== false);
	return (
		<dl
			className={cn(
				"text-12",
				layout === "row" ? "flex flex-wrap gap-x-7 gap-y-1" : "grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3.5 gap-y-0.5",
				className,
			)}
		>
			{shown.map(([name, value], index) => (
				<div key={`fact-${index.toString()}`} className={layout === "row" ? "" : "contents"}>
					<dt className="text-ink-3">{name}</dt>
					<dd className="min-w-0 break-words">{value}</dd>
				</div>
			))}
		</dl>
	);
}

export interface CheckItem {
	id: string;
	/** null: not known yet. */
	ok: boolean | null;
	/** It forbids nothing: not met, it asks for attention only. */
	advises?: boolean;
	label: ReactNode;
	detail?: ReactNode;
}

const CHECK = {
	yes: <Check className="mt-[3px] size-3.5 text-up" aria-hidden />,
	no: <X className="mt-[3px] size-3.5 text-down" aria-hidden />,
	open: <CircleDashed className="mt-[3px] size-3.5 text-unsure" aria-hidden />,
	mind: <TriangleAlert className="mt-[3px] size-3.5 text-unsure" aria-hidden />,
};

/** A gate's conditions: met, not met, or open, each with what it rests on. `words` names the three states for a screen reader. */
export function Checklist({ items, words }: { items: readonly CheckItem[]; words: { yes: string; no: string; open: string } }) {
	return (
		<ul className="grid gap-1.5 text-12">
			{items.map((item) => {
				const state = item.ok === null ? "open" : item.ok ? "yes" : "no";
				return (
					<li key={item.id} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
						{CHECK[state === "no" && item.advises ? "mind" : state]}
						<div>
							<span className="sr-only">{words[state]} </span>
							{item.label}
							{item.detail && <span className="block text-ink-3">{item.detail}</span>}
						</div>
					</li>
				);
			})}
		</ul>
	);
}
