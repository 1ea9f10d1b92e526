import type { ChartOption, CustomSeriesOption } from "./echarts";
import type { Palette } from "./palette";
import { axisOf } from "./scale";

/** One measured value with its interval, in points. */
export interface PlotValue {
	value: number;
	low: number;
	high: number;
}

export interface PlotColumn {
	accuracy: PlotValue | null;
	effectiveness: PlotValue | null;
	/** Not eligible: hollow markers. */
	hollow: boolean;
}

export interface PlotData {
	columns: readonly PlotColumn[];
	/** Index of the recommended column, painted soft; null for none (on the page the grid paints it). */
	best: number | null;
	/** Nothing may land beyond this column: a rule, and hatched ground after it. */
	stopAfter: number | null;
	/** Column whose values are drawn as dotted rules. */
	baseline: number | null;
}

type Dimension = "accuracy" | "effectiveness";
type Element = NonNullable<ReturnType<NonNullable<CustomSeriesOption["renderItem"]>>>;
type Api = Parameters<NonNullable<CustomSeriesOption["renderItem"]>>[1];

/** Where the stop rule stands inside its column: right of the markers, with room for the hatched ground. */
const STOP_AT = 0.83;
/** Accuracy and Effectiveness are set apart by twice this, so that equal values stay visible. */
const dodgePx = (columnPx: number) => (columnPx > 90 ? 7 : 5);

function point(api: Api, x: number, y: number): [number, number] {
	const at = api.coord([x, y]);
	return [at[0] ?? 0, at[1] ?? 0];
}

function columnWidth(api: Api): number {
	return point(api, 1, 0)[0] - point(api, 0, 0)[0];
}

/** Runs of neighbouring columns that have a value: a line never crosses what was not measured. */
function runsOf(columns: readonly PlotColumn[], dimension: Dimension): { index: number; value: PlotValue }[][] {
	const runs: { index: number; value: PlotValue }[][] = [[]];
	columns.forEach((column, index) => {
		const value = column[dimension];
		if (value) runs.at(-1)?.push({ index, value });
		else if (runs.at(-1)?.length) runs.push([]);
	});
	return runs.filter((run) => run.length > 0);
}

function drawDimension(api: Api, data: PlotData, dimension: Dimension, palette: Palette): Element[] {
	const color = palette[dimension];
	const band = dimension === "accuracy" ? palette.accuracyBand : palette.effectivenessBand;
	const shift = dodgePx(columnWidth(api)) * (dimension === "accuracy" ? -1 : 1);
	const at = (index: number, value: number): [number, number] => {
		const [x, y] = point(api, index + 0.5, value);
		return [x + shift, y];
	};
	const elements: Element[] = [];
	for (const run of runsOf(data.columns, dimension)) {
		const top = run.map(({ index, value }) => at(index, value.high));
		const bottom = run.map(({ index, value }) => at(index, value.low));
		if (run.length > 1) elements.push({ type: "polygon", shape: { points: [...top, ...bottom.reverse()] }, style: { fill: band }, z2: 1, silent: true });
		for (const { index, value } of run) {
			const [x, y] = at(index, value.high);
			const height = at(index, value.low)[1] - y;
			elements.push({ type: "rect", shape: { x: x - 3, y, width: 6, height, r: 1 }, style: { fill: band }, z2: 2, silent: true });
		}
		elements.push({
			type: "polyline",
			shape: { points: run.map(({ index, value }) => at(index, value.value)) },
			style: { stroke: color, lineWidth: 1.75, fill: "none", lineJoin: "round" },
			z2: 4,
			silent: true,
		});
		for (const { index, value } of run) {
			const [x, y] = at(index, value.value);
			const hollow = data.columns[index]?.hollow ?? false;
			const style = { fill: hollow ? palette.bg : color, stroke: hollow ? color : palette.bg, lineWidth: hollow ? 1.75 : 1.5 };
			elements.push(
				dimension === "accuracy"
					? { type: "circle", shape: { cx: x, cy: y, r: 4.5 }, style, z2: 6, silent: true }
					: { type: "rect", shape: { x: x - 4, y: y - 4, width: 8, height: 8 }, style, z2: 6, silent: true },
			);
		}
	}
	return elements;
}

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Diagonal strokes inside a box: not a measurement. Each is cut to the box by hand, since an SVG export has no clip of ours. */
function hatch(box: Box, color: string): Element[] {
	const strokes: Element[] = [];
	for (let offset = 5; offset < box.width + box.height; offset += 5) {
		const x1 = box.x + Math.max(0, offset - box.height);
		const y1 = box.y + Math.min(offset, box.height);
		const x2 = box.x + Math.min(offset, box.width);
		const y2 = box.y + Math.max(0, offset - box.width);
		strokes.push({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: color, lineWidth: 1 }, z2: 0, silent: true });
	}
	return strokes;
}

function drawGround(api: Api, data: PlotData, palette: Palette, box: Box): Element[] {
	const width = columnWidth(api);
	const elements: Element[] = [];
	if (data.best !== null)
		elements.push({
			type: "rect",
			shape: { x: box.x + data.best * width, y: box.y, width, height: box.height },
			style: { fill: palette.best, opacity: 0.62 },
			z2: -2,
			silent: true,
		});
	if (data.stopAfter !== null) {
		const x = box.x + (data.stopAfter + STOP_AT) * width;
		elements.push(...hatch({ x, y: box.y, width: box.x + box.width - x, height: box.height }, palette.hatch));
		elements.push({
			type: "line",
			shape: { x1: x, y1: box.y, x2: x, y2: box.y + box.height },
			style: { stroke: palette.down, lineWidth: 1.5 },
			z2: 5,
			silent: true,
		});
	}
	const base = data.baseline === null ? undefined : data.columns[data.baseline];
	for (const dimension of ["accuracy", "effectiveness"] as const) {
		const value = base?.[dimension];
		if (!value) continue;
		const y = point(api, 0, value.value)[1];
		elements.push({
			type: "line",
			shape: { x1: box.x, y1: y, x2: box.x + box.width, y2: y },
			style: { stroke: palette[dimension], lineWidth: 1, lineDash: [2, 3], opacity: 0.75 },
			z2: 3,
			silent: true,
		});
	}
	return elements;
}

export interface PlotFrame {
	/** Space left of the plot for the axis labels, px. */
	gutter: number;
	top?: number;
	bottom?: number;
	/** Further elements, in pixels of the whole chart: the words of an export. */
	annotate?: (box: Box) => Element[];
}

/** The whole curve as one ECharts option: a grid with the axis, and one custom series that draws the rest. */
export function evoOption(data: PlotData, palette: Palette, frame: PlotFrame): ChartOption {
	const values = data.columns.flatMap((column) => [column.accuracy, column.effectiveness].flatMap((item) => (item ? [item.low, item.high] : [])));
	const axis = axisOf(values);
	const count = Math.max(data.columns.length, 1);
	const renderItem: CustomSeriesOption["renderItem"] = (params, api) => {
		const area = params.coordSys as unknown as Box;
		const children = [
			...drawGround(api, data, palette, area),
			...drawDimension(api, data, "accuracy", palette),
			...drawDimension(api, data, "effectiveness", palette),
			...(frame.annotate?.(area) ?? []),
		];
		return { type: "group", children } as Element;
	};
	return {
		animation: false,
		backgroundColor: "transparent",
		grid: { left: frame.gutter, right: 0, top: frame.top ?? 0, bottom: frame.bottom ?? 0 },
		xAxis: { type: "value", min: 0, max: count, show: false },
		yAxis: {
			type: "value",
			min: axis.min,
			max: axis.max,
			axisLine: { show: false },
			axisTick: { show: false, customValues: axis.ticks },
			splitLine: { show: true, lineStyle: { color: palette.grid, width: 1 } },
			axisLabel: { color: palette.ink3, fontSize: 11, fontFamily: palette.font, margin: 8, customValues: axis.ticks },
		},
		series: [{ type: "custom", coordinateSystem: "cartesian2d", data: [[0, axis.min]], renderItem, clip: false, silent: true }],
	};
}
