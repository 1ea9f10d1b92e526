// The only importer of ECharts, and only of the parts that are drawn: one custom series on a grid, as SVG.
import { CustomChart, type CustomSeriesOption } from "echarts/charts";
import { GridComponent, type GridComponentOption } from "echarts/components";
import { type ComposeOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([CustomChart, GridComponent, SVGRenderer]);

export type ChartOption = ComposeOption<CustomSeriesOption | GridComponentOption>;
export type { CustomSeriesOption };
export { init };
