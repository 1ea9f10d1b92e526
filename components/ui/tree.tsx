"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useMemo, useState } from "react";
import { cn } from "./cn";

export interface TreeNode {
	id: string;
	label: ReactNode;
	/** What typing finds. */
	text: string;
	icon?: ReactNode;
	/** Marks at the right end: problem counts, "M" for modified. */
	marks?: ReactNode;
	children?: readonly TreeNode[];
}

interface FlatNode {
	node: TreeNode;
	level: number;
	open: boolean;
	parent: string | null;
}

function flatten(nodes: readonly TreeNode[], closed: ReadonlySet<string>, level = 1, parent: string | null = null): FlatNode[] {
	return nodes.flatMap((node) => {
		const open = Boolean(node.children) && !closed.has(node.id);
		return [{ node, level, open, parent }, ...(open && node.children ? flatten(node.children, closed, level + 1, node.id) : [])];
	});
}

/** A tree with 24 px rows. Arrow keys move, open and close; Enter selects; a letter jumps. */
export function Tree({
	nodes,
	selected,
	onSelect,
	label,
	className,
}: {
	nodes: readonly TreeNode[];
	selected: string | null;
	onSelect: (id: string) => void;
	label: string;
	className?: string;
}) {
	const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
	const [focused, setFocused] = useState<string | null>(null);
	const rows = useMemo(() => flatten(nodes, closed), [nodes, closed]);
	const tabStop = focused && rows.some((row) => row.node.id === focused) ? focused : (selected ?? rows[0]?.node.id);

	const toggle = (id: string, open: boolean) =>
		setClosed((before) => {
			const next = new Set(before);
			if (open) next.delete(id);
			else next.add(id);
			return next;
		});
	const focus = (container: HTMLElement, id: string | undefined | null) => {
		if (!id) return;
		setFocused(id);
		container.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus();
	};
	const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
		const at = rows.findIndex((row) => row.node.id === tabStop);
		const row = rows[at];
		if (!row) return;
		const container = event.currentTarget;
		const isGroup = Boolean(row.node.children);
		if (event.key === "ArrowDown") focus(container, rows[at + 1]?.node.id);
		else if (event.key === "ArrowUp") focus(container, rows[at - 1]?.node.id);
		else if (event.key === "Home") focus(container, rows[0]?.node.id);
		else if (event.key === "End") focus(container, rows.at(-1)?.node.id);
		else if (event.key === "ArrowRight" && isGroup) row.open ? focus(container, rows[at + 1]?.node.id) : toggle(row.node.id, true);
		else if (event.key === "ArrowLeft") isGroup && row.open ? toggle(row.node.id, false) : focus(container, row.parent);
		else if (event.key === "Enter" || event.key === " ") isGroup ? toggle(row.node.id, !row.open) : onSelect(row.node.id);
		else if (event.key.length === 1 && !event.metaKey && !event.ctrlKey && !event.altKey) {
			const order = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
			focus(container, order.find((item) => item.node.text.toLowerCase().startsWith(event.key.toLowerCase()))?.node.id);
		} else return;
		event.preventDefault();
	};

	return (
		<div role="tree" aria-label={label} onKeyDown={onKeyDown} className={cn("py-1 text-12", className)}>
			{rows.map(({ node, level, open }) => {
				const isGroup = Boolean(node.children);
				return (
					<div
						key={node.id}
						role="treeitem"
						aria-level={level}
						aria-expanded={isGroup ? open : undefined}
						aria-selected={selected === node.id}
						tabIndex={tabStop === node.id ? 0 : -1}
						data-node={node.id}
						onClick={() => (isGroup ? toggle(node.id, !open) : onSelect(node.id))}
						onKeyDown={undefined}
						onFocus={() => setFocused(node.id)}
						style={{ paddingLeft: 10 + (level - 1) * 18 }}
						className={cn(
							"flex h-6 cursor-pointer select-none items-center gap-1.5 whitespace-nowrap pr-2.5 hover:bg-hover focus-visible:outline-offset-[-2px] max-md:h-11",
							isGroup ? "mt-1 font-semibold text-ink" : "text-ink-2",
							selected === node.id && "bg-accent-soft font-semibold text-ink shadow-[inset_2px_0_0_var(--accent)] hover:bg-accent-soft",
						)}
					>
						{isGroup && (open ? <ChevronDown className="size-3 text-ink-3" aria-hidden /> : <ChevronRight className="size-3 text-ink-3" aria-hidden />)}
						{node.icon}
						<span className="min-w-0 truncate">{node.label}</span>
						{node.marks && <span className="ml-auto inline-flex items-center gap-1.5 pl-2 font-normal text-11">{node.marks}</span>}
					</div>
				);
			})}
		</div>
	);
}
