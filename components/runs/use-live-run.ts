import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";

const HEAD_MS = 500;
const ROWS_MS = 2_000;
const GENTLE = { cancelRefetch: false };

/**
 * Calls `act` at once, then not again before it has ended and `ms` have passed, and once more after the last call: what
 * changed while `act` was reading is read again.
 */
function useThrottled(act: () => Promise<unknown>, ms: number): () => void {
	const latest = useRef(act);
	latest.current = act;
	const state = useRef({ busy: false, again: false, gone: false });
	useEffect(() => {
		state.current.gone = false;
		return () => {
			state.current.gone = true;
		};
	}, []);
	return useCallback(() => {
		const { current } = state;
		current.again = true;
		if (current.busy) return;
		current.busy = true;
		void (async () => {
			while (current.again && !current.gone) {
				current.again = false;
				await Promise.allSettled([latest.current(), new Promise((resolve) => setTimeout(resolve, ms))]);
			}
			current.busy = false;
		})();
	}, [ms]);
}

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
