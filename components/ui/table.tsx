import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./cn";

/** Hairlines, no zebra, no vertical rules; 28 px rows; figures at the right. */
export function Table({ className, ...props }: ComponentProps<"table">) {
	return <table className={cn("w-full border-collapse text-12", className)} {...props} />;
}

export function Th({ className, numeric, ...props }: ComponentProps<"th"> & { numeric?: boolean }) {
	return (
		<th
			scope="col"
			className={cn(
				"whitespace-nowrap border-line-2 border-b px-2 py-[5px] text-left align-bottom font-normal text-ink-3 first:pl-0 last:pr-0",
				numeric && "text-right",
				className,
			)}
			{...props}
		/>
	);
}

/** A column head that sorts. Its direction is drawn and told to assistive technology; without `onSort` it is a plain head. */
export function SortTh({
	sorted,
	onSort,
	children,
	className,
	...props
}: Omit<ComponentProps<typeof Th>, "aria-sort"> & { sorted: "ascending" | "descending" | null; onSort: (() => void) | null }) {
	const Arrow = sorted === "descending" ? ArrowDown : ArrowUp;
	return (
		<Th className={cn("first:pl-2 last:pr-2", className)} aria-sort={sorted ?? undefined} {...props}>
			{onSort ? (
				<button type="button" className="inline-flex items-center gap-1 hover:text-ink" onClick={onSort}>
					{children}
					{sorted && <Arrow className="size-3" aria-hidden />}
				</button>
			) : (
				children
			)}
		</Th>
	);
}

export function Td({ className, numeric, muted, ...props }: ComponentProps<"td"> & { numeric?: boolean; muted?: boolean }) {
	return (
		<td
			className={cn(
				"h-7 border-line border-b px-2 py-1 align-middle first:pl-0 last:pr-0",
				numeric && "whitespace-nowrap text-right",
				muted && "text-ink-3",
				className,
			)}
			{...props}
		/>
	);
}

export function Tr({ className, selected, ...props }: ComponentProps<"tr"> & { selected?: boolean }) {
	return (
		<tr
			aria-selected={selected}
			className={cn("hover:bg-hover", selected && "bg-accent-soft hover:bg-accent-soft [&>:first-child]:shadow-[inset_2px_0_0_var(--accent)]", className)}
			{...props}
		/>
	);
}

/** A table that is wider than a narrow screen scrolls by itself, by keyboard too. */
export function Sideways({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable without a pointer
		<section aria-label={label} tabIndex={0} className={cn("overflow-x-auto", className)}>
			{children}
		</section>
	);
}
