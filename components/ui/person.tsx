import { cn } from "./cn";
import { langOf } from "./format";
import { useName } from "./use-name";

/** The first letter of a person's (or service's) name in a circle; `me` is filled, a service is square. */
export function PersonAvatar({
	name,
	me,
	service,
	size = "md",
	className,
}: {
	name: string;
	me?: boolean;
	service?: boolean;
	size?: "sm" | "md";
	className?: string;
}) {
	const initial = [...useName()(name).trim()][0]?.toUpperCase() ?? "?";
	return (
		<span
			aria-hidden
			lang={langOf(initial)}
			className={cn(
				"grid flex-none place-items-center font-semibold text-[12px] leading-none",
				size === "sm" ? "size-5" : "size-[22px]",
				service ? "rounded-4" : "rounded-full",
				me ? "bg-solid text-ink-inv" : "bg-sunk text-ink-2 shadow-[inset_0_0_0_1px_var(--line-2)]",
				className,
			)}
		>
			{initial}
		</span>
	);
}

/** Text that a person or a model wrote, marked with its language so that Chinese gets its own glyphs and line breaking. */
export function Words({ children, className }: { children: string; className?: string }) {
	return (
		<span lang={langOf(children)} className={className}>
			{children}
		</span>
	);
}
