import { Skeleton } from "@/components/ui/status";

/** Lines of a file that is being opened. */
export function EditorSkeleton() {
	return (
		<div aria-hidden className="grid gap-3 p-4">
			{[40, 72, 55, 80, 30, 64, 48].map((width) => (
				<Skeleton key={width} style={{ width: `${width}%` }} />
			))}
		</div>
	);
}
