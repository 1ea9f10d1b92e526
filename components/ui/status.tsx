import { LoaderCircle } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

export type StatusTone = "plain" | "accent" | "up" | "down" | "unsure" | "same";

const TONE: Record<StatusTone, string> = {
	plain: "border-line-2 text-ink",
	accent: "border-accent-line text-accent",
	up: "border-up-line text-up",
	down: "border-down-line text-down",
	unsure: "border-unsure-line text-unsure",
	same: "border-same-line text-same",
};

/** A state with its icon and its word, framed: "In review", "Running". */
export function Badge({
	tone = "plain",
	icon,
	live,
	children,
	className,
}: {
	tone?: StatusTone;
	icon?: ReactNode;
	/** Something is under way right now. */
	live?: boolean;
	children: ReactNode;
	className?: string;
}) {
	return (
		<span
			className={cn("inline-flex items-center gap-[5px] whitespace-nowrap rounded-4 border py-px pr-2 pl-1.5 text-12", TONE[live ? "accent" : tone], className)}
		>
			{live ? <LoaderCircle className="size-3 animate-spin" aria-hidden /> : icon}
			{children}
		</span>
	);
}

/** A small mark without meaning of its own: a split, a kind, a label. */
export function Tag({ children, className, ...props }: ComponentProps<"span">) {
	return (
		<span className={cn("inline-block whitespace-nowrap rounded-2 border border-line-2 px-[5px] text-11 text-ink-2", className)} {...props}>
			{children}
		</span>
	);
}

/** How many wait for this person. */
export function CountMark({ count, quiet, className }: { count: number; quiet?: boolean; className?: string }) {
	if (count <= 0) return null;
	return (
		<span
			className={cn("min-w-[18px] rounded-full px-[5px] text-center text-11 leading-4", quiet ? "text-ink-3" : "bg-accent font-semibold text-bg", className)}
		>
			{count > 99 ? "99+" : count}
		</span>
	);
}

export function Kbd({ children }: { children: ReactNode }) {
	return <kbd className="rounded-[3px] border border-line-2 bg-sub px-1 font-sans text-[11px] text-ink-2 leading-4">{children}</kbd>;
}

/**
 * The key of a button, inside it; not part of its name. One that does not act at present keeps its room: a button that moved
 * while it is pressed would lose the click.
 */
export function KeyHint({ active = true, children }: { active?: boolean; children: ReactNode }) {
	return (
		<kbd aria-hidden className={cn("rounded-2 border border-current px-1 font-sans text-11 leading-4 opacity-70 max-md:hidden", !active && "invisible")}>
			{children}
		</kbd>
	);
}

/** Keeps the final grid while data is on its way: a block of the size that the content will have. */
export function Skeleton({ className, ...props }: ComponentProps<"span">) {
	return <span aria-hidden className={cn("block h-3 animate-pulse rounded-2 bg-line motion-reduce:animate-none", className)} {...props} />;
}

/** Rows of a table that has not arrived. */
export function SkeletonRows({ rows = 8, columns = 4 }: { rows?: number; columns?: number }) {
	return (
		<div aria-hidden className="w-full">
			{Array.from({ length: rows }, (_, row) => (
				<div key={`row-${row.toString()}`} className="flex h-7 items-center gap-6 border-line border-b">
					{Array.from({ length: columns }, (_, column) => (
						<Skeleton key={`cell-${column.toString()}`} className={column === 0 ? "w-16" : "flex-1"} />
					))}
				</div>
			))}
		</div>
	);
}

/** A page of rows while it loads; its heading is there for who does not see it. */
export function PageSkeleton({ title, ...size }: { title: string; rows: number; columns: number }) {
	return (
		<div className="p-6">
			<h1 className="sr-only">{title}</h1>
			<SkeletonRows {...size} />
		</div>
	);
}

/** How much is done, what failed (hatched), and what is left. Values are counts. */
export function Progress({ done, failed = 0, total, label, className }: { done: number; failed?: number; total: number; label: string; className?: string }) {
	const share = (count: number) => `${total > 0 ? (Math.min(count, total) / total) * 100 : 0}%`;
	return (
		<div
			role="progressbar"
			aria-label={label}
			aria-valuemin={0}
			aria-valuemax={total}
			aria-valuenow={Math.min(done + failed, total)}
			className={cn("flex h-1.5 overflow-hidden rounded-[1px] bg-sunk", className)}
		>
			<i className="block bg-accent-mark" style={{ width: share(done) }} />
			<i className="block" style={{ width: share(failed), backgroundImage: "repeating-linear-gradient(135deg, var(--down) 0 2px, var(--bg) 2px 4px)" }} />
		</div>
	);
}

/** Squares out of patience: filled where a strike was given. */
export function Strikes({ count, of, className }: { count: number; of: number; className?: string }) {
	return (
		<span aria-hidden className={cn("inline-flex gap-[3px]", className)}>
			{Array.from({ length: of }, (_, index) => (
				<i
					key={`strike-${index.toString()}`}
					className={cn("size-[9px] rounded-[1px]", index < count ? "bg-down" : "shadow-[inset_0_0_0_1px_var(--line-ctl)]")}
				/>
			))}
		</span>
	);
}
