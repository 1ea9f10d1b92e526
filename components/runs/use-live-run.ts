import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useTRPC } from "@/components/trpc/client";
import { useLive } from "@/components/trpc/live";

const HEAD_MS = 500;
const ROWS_MS = 2_000;
const GENTLE = { cancelRefetch: false };

/** Calls `act` at once, then at most once in `ms`, and once more after the last call: nothing that changed stays unseen. */
function useThrottled(act: () => void, ms: number): () => void {
	const latest = useRef(act);
	latest.current = act;
	const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
	const again = useRef<boolean>(false);
	useEffect(
		() => () => {
			if (timer.current) clearTimeout(timer.current);
		},
		[],
	);
	return useCallback(() => {
		if (timer.current) {
			again.current = true;
			return;
		}
		latest.current();
		const wait = () => {
			timer.current = setTimeout(() => {
				timer.current = null;
				if (!again.current) return;
				again.current = false;
				latest.current();
				wait();
			}, ms);
		};
		wait();
	}, [ms]);
}

/** Follows a run: its head twice a second, its rows every two seconds; a reading under way is not started over. */
export function useLiveRun(runId: string | undefined): void {
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const head = useThrottled(() => void queryClient.invalidateQueries(trpc.evaluation.run.pathFilter(), GENTLE), HEAD_MS);
	const rows = useThrottled(() => {
		void queryClient.invalidateQueries(trpc.evaluation.results.pathFilter(), GENTLE);
		void queryClient.invalidateQueries(trpc.evaluation.facets.pathFilter(), GENTLE);
	}, ROWS_MS);
	useLive(runId ? [`run:${runId}`] : [], () => {
		head();
		rows();
	});
}
