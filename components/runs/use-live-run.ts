import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";
import { useThrottled } from "@/components/trpc/use-throttled";

const HEAD_MS = 500;
const ROWS_MS = 2_000;
const GENTLE = { cancelRefetch: false };

/** Follows a run: its head twice a second, its rows every two seconds; a reading under way is not started over. */
export function useLiveRun(runId: string | undefined): void {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const head = useThrottled(() => queryClient.invalidateQueries(trpc.evaluation.run.pathFilter(), GENTLE), HEAD_MS);
	const rows = useThrottled(
		() =>
			Promise.all([
				queryClient.invalidateQueries(trpc.evaluation.results.pathFilter(), GENTLE),
				queryClient.invalidateQueries(trpc.evaluation.facets.pathFilter(), GENTLE),
			]),
		ROWS_MS,
	);
	useLive(runId ? [`run:${runId}`] : [], () => {
		head();
		rows();
	});
}
