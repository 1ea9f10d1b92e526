import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";

const HEAD_MS = 500;
const ROWS_MS = 2_000;

/** Follows a run: its head twice a second, its rows every two seconds. */
export function useLiveRun(runId: string | undefined): void {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const topics = runId ? [`run:${runId}`] : [];
	const read = (...parts: { pathFilter(): object }[]) => Promise.all(parts.map((part) => queryClient.invalidateQueries(part.pathFilter())));
	useLive(topics, () => read(trpc.evaluation.run), HEAD_MS);
	useLive(topics, () => read(trpc.evaluation.results, trpc.evaluation.facets), ROWS_MS);
}
