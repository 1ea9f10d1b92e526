"use client";

import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./cn";

export interface Tab {
	id: string;
	label: ReactNode;
	count?: number;
	content: ReactNode;
	disabled?: boolean;
}

/** Views of one thing under one heading; the line below the names is the page's hairline. Keep `value` in the URL. */
export function Tabs({
	tabs,
	value,
	onValueChange,
	label,
	end,
	className,
	contentClassName,
}: {
	tabs: readonly Tab[];
	value: string;
	onValueChange: (value: string) => void;
	label: string;
	/** Controls at the right end of the row. */
	end?: ReactNode;
	className?: string;
	contentClassName?: string;
}) {
	return (
		<RadixTabs.Root value={value} onValueChange={onValueChange} className={cn("flex min-h-0 flex-col", className)}>
			<div className="flex shrink-0 items-center border-line border-b px-4 max-md:overflow-x-auto">
				<RadixTabs.List aria-label={label} className="flex gap-5">
					{tabs.map((tab) => (
						<RadixTabs.Trigger
							key={tab.id}
							value={tab.id}
							disabled={tab.disabled}
							className="-mb-px flex h-9 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 text-13 focus-visible:-outline-offset-2 text-ink-2 hover:text-ink disabled:text-ink-3 data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink max-md:h-11"
						>
							{tab.label}
							{tab.count !== undefined && <span className="font-normal text-12 text-ink-3">{tab.count}</span>}
						</RadixTabs.Trigger>
					))}
				</RadixTabs.List>
				{end && <div className="ml-auto flex items-center gap-3 pl-4 text-12">{end}</div>}
			</div>
			{tabs.map((tab) => (
				<RadixTabs.Content key={tab.id} value={tab.id} className={cn("min-h-0 flex-1", contentClassName)}>
					{tab.content}
				</RadixTabs.Content>
			))}
		</RadixTabs.Root>
	);
}
