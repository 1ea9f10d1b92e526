import { type ChartOption, type CustomSeriesOption, init } from "./echarts";
import { evoOption, type PlotData } from "./evo-option";
import { readPalette } from "./palette";

type Element = NonNullable<ReturnType<NonNullable<CustomSeriesOption["renderItem"]>>>;

/** The words around an exported curve; they carry what the page's HTML carries. */
export interface ExportWords {
	title: string;
	subtitle: string;
	accuracy: string;
	effectiveness: string;
	columns: readonly { title: string; state: string; accuracy: string; effectiveness: string }[];
}

const WIDTH = 960;
const HEIGHT = 560;
const TOP = 108;
const BOTTOM = 68;
const GUTTER = 96;
const MARGIN = 24;
const OUTER = { width: WIDTH + 2 * MARGIN, height: HEIGHT + 2 * MARGIN };

/** The curve as a standalone SVG document in the theme on the screen, words and figures included. */
export function exportSvg(data: PlotData, words: ExportWords): string {
	const palette = readPalette();
	const text = (x: number, y: number, value: string, style: Record<string, unknown> = {}): Element =>
		({
			type: "text",
			x,
			y,
			style: { text: value, fill: palette.ink, font: `12px ${palette.font}`, textVerticalAlign: "middle", ...style },
			silent: true,
		}) as Element;
	const annotate = (box: { x: number; y: number; width: number; height: number }): Element[] => {
		const width = box.width / Math.max(words.columns.length, 1);
		const bottom = box.y + box.height;
		return [
			text(0, 14, words.title, { font: `600 16px ${palette.font}` }),
			text(0, 36, words.subtitle, { fill: palette.ink3 }),
			{ type: "circle", shape: { cx: WIDTH - 210, cy: 14, r: 4.5 }, style: { fill: palette.accuracy } } as Element,
			text(WIDTH - 198, 14, words.accuracy),
			{ type: "rect", shape: { x: WIDTH - 112, y: 10, width: 8, height: 8 }, style: { fill: palette.effectiveness } } as Element,
			text(WIDTH - 98, 14, words.effectiveness),
			text(0, bottom + 20, words.accuracy, { fill: palette.ink2 }),
			text(0, bottom + 46, words.effectiveness, { fill: palette.ink2 }),
			...words.columns.flatMap((column, index) => {
				const x = box.x + (index + 0.5) * width;
				const centre = { textAlign: "center" };
				return [
					text(x, TOP - 38, column.title, { ...centre, font: `600 13px ${palette.font}` }),
					text(x, TOP - 18, column.state, { ...centre, fill: palette.ink2 }),
					text(x, bottom + 20, column.accuracy, centre),
					text(x, bottom + 46, column.effectiveness, centre),
				];
			}),
		];
	};
	const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height: HEIGHT });
	try {
		chart.setOption<ChartOption>({ ...evoOption(data, palette, { gutter: GUTTER, top: TOP, bottom: BOTTOM, annotate }), backgroundColor: palette.bg });
		// The drawing gets a margin around it: a larger view on the same coordinates, on the theme's ground.
		const view = `width="${OUTER.width}" height="${OUTER.height}" viewBox="${-MARGIN} ${-MARGIN} ${OUTER.width} ${OUTER.height}"`;
		const body = chart.renderToSVGString().replace(/^<svg[^>]*>/, "");
		const ground = `<rect x="${-MARGIN}" y="${-MARGIN}" width="${OUTER.width}" height="${OUTER.height}" fill="${palette.bg}"/>`;
		return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${view}>${ground}${body}`;
	} finally {
		chart.dispose();
	}
}

/** The same as a PNG at twice the size. */
export async function exportPng(data: PlotData, words: ExportWords): Promise<Blob> {
	const image = new Image(OUTER.width, OUTER.height);
	image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(exportSvg(data, words))}`;
	await image.decode();
	const canvas = document.createElement("canvas");
	canvas.width = OUTER.width * 2;
	canvas.height = OUTER.height * 2;
	const context = canvas.getContext("2d");
	if (!context) throw new Error("This browser has no 2D canvas.");
	context.drawImage(image, 0, 0, canvas.width, canvas.height);
	return new Promise((resolve, reject) => {
		canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be encoded."))), "image/png");
	});
}
