import { PlotSkeleton } from "@/components/charts/plot-skeleton";
import { Skeleton, SkeletonRows } from "@/components/ui/status";

/** The page's final grid, empty. */
export function EvolutionSkeleton() {
	return (
		<div aria-busy="true">
			<div className="border-line border-b px-6 pt-5 pb-4 max-md:p-4">
				<Skeleton className="h-5 w-[58%] max-md:w-full" />
				<Skeleton className="mt-3 h-5 w-[36%]" />
				<Skeleton className="mt-4 w-[64%] max-md:w-full" />
			</div>
			<div className="grid grid-cols-[minmax(0,1fr)_304px] max-lg:grid-cols-1">
				<div className="px-6 pt-3 pb-5 max-md:px-4">
					<div className="relative h-[430px]">
						<PlotSkeleton />
					</div>
					<SkeletonRows rows={4} columns={6} />
				</div>
				<div className="border-line border-l px-5 pt-4 max-lg:border-t max-lg:border-l-0">
					{[72, 90, 64, 84, 70, 88, 60].map((width) => (
						<Skeleton key={width} className="mt-4" style={{ width: `${width}%` }} />
					))}
				</div>
			</div>
		</div>
	);
}
