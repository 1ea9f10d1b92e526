import { useCallback, useEffect, useRef } from "react";

/**
 * Calls `act` at once, then not again before it has ended and `ms` have passed, and once more after the last call: what
 * changed while `act` was reading is read again.
 */
export function useThrottled(act: () => Promise<unknown>, ms: number): () => void {
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
