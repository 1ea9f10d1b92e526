import { useCallback, useEffect, useRef, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPCClient } from "@/components/trpc/client";
import type { TrainingRecord } from "@/server/training/contract";

/**
 * The points of a training's curves, and a function that reads what is new. Only new points travel: a training that is
 * taken over repeats the same ones, so what is here stays right.
 */
export function useCurves(trainingId: string): { records: readonly TrainingRecord[]; refresh: () => void } {
	const client = useTRPCClient();
	const { slug } = useWorkspace();
	const [records, setRecords] = useState<readonly TrainingRecord[]>([]);
	const state = useRef({ records: [] as TrainingRecord[], busy: false, again: false, gone: false });
	const refresh = useCallback(() => {
		const { current } = state;
		current.again = true;
		if (current.busy) return;
		current.busy = true;
		void (async () => {
			while (current.again && !current.gone) {
				current.again = false;
				const answer = await client.training.curves.query({ workspace: slug, trainingId, from: current.records.length }).catch(() => null);
				if (!answer || current.gone || answer.records.length === 0) continue;
				current.records = [...current.records.slice(0, answer.from), ...answer.records];
				setRecords(current.records);
			}
			current.busy = false;
		})();
	}, [client, slug, trainingId]);
	useEffect(() => {
		const { current } = state;
		current.gone = false;
		refresh();
		return () => {
			current.gone = true;
		};
	}, [refresh]);
	return { records, refresh };
}
