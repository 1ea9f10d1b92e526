import { useCallback, useEffect, useRef, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPCClient } from "@/components/trpc/client";
import type { TrainingRecord } from "@/server/training/contract";

/**
 * The points of a training's curves, and a function that reads what is new. Only new points travel: a training that is
 * taken over repeats the same ones, so what is here stays right.
 */
export function useCurves(trainingId: string): { records: readonly TrainingRecord[]; read: () => Promise<void> } {
	const client = useTRPCClient();
	const { slug } = useWorkspace();
	const [records, setRecords] = useState<readonly TrainingRecord[]>([]);
	const known = useRef<TrainingRecord[]>([]);
	const read = useCallback(async () => {
		// An answer has a limit: on until nothing is new.
		for (;;) {
			const answer = await client.training.curves.query({ workspace: slug, trainingId, from: known.current.length }).catch(() => null);
			if (!answer || answer.records.length === 0) return;
			known.current = [...known.current.slice(0, answer.from), ...answer.records];
			setRecords(known.current);
		}
	}, [client, slug, trainingId]);
	useEffect(() => void read(), [read]);
	return { records, read };
}
