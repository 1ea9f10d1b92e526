/** An axis that covers the values: round ends, and a step that gives four to six lines. */
export interface Axis {
	min: number;
	max: number;
	step: number;
	ticks: number[];
}

const STEPS = [0.5, 1, 2, 5, 10, 20, 25];

/**
 * The axis of a line chart of points (0 to 100). Lines may start above zero, so the range follows the values with a little
 * air, and never leaves 0 to 100. Equal values still get a visible range.
 */
export function axisOf(values: readonly number[], bounds: readonly [number, number] = [0, 100]): Axis {
	const known = values.filter(Number.isFinite);
	const low = known.length ? Math.min(...known) : 0;
	const high = known.length ? Math.max(...known) : 100;
	const spread = Math.max(high - low, 4);
	const air = spread * 0.08;
	const min = Math.max(bounds[0], low - air - (spread - (high - low)) / 2);
	const max = Math.min(bounds[1], high + air + (spread - (high - low)) / 2);
	const step = STEPS.find((candidate) => (max - min) / candidate <= 5.5) ?? 50;
	const ticks: number[] = [];
	for (let tick = Math.ceil(min / step) * step; tick <= max + 1e-9; tick += step) ticks.push(Number(tick.toFixed(4)));
	return { min, max, step, ticks };
}
