/** One line of a small chart: the accent first, ink second. */
export interface LineSeries {
	tone: "first" | "second";
	/** x and value, in order of x. */
	points: readonly (readonly [number, number])[];
}

/** Room beside the plot, in pixels; whoever puts something over it needs to know. */
export const LINE_FRAME = { left: 40, right: 6 };

/** The value of a series at an x: the last one that was measured up to there; undefined before the first. */
export function valueAt({ points }: LineSeries, x: number): number | undefined {
	let found: number | undefined;
	for (const [at, value] of points) {
		if (at > x) break;
		found = value;
	}
	return found;
}
