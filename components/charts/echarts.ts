// The only importer of ECharts, and only of the parts that are drawn: custom series and lines on a grid, as SVG.
import { CustomChart, type CustomSeriesOption, LineChart, type LineSeriesOption } from "echarts/charts";
import { GridComponent, type GridComponentOption } from "echarts/components";
import { type ComposeOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([CustomChart, LineChart, GridComponent, SVGRenderer]);

export type ChartOption = ComposeOption<CustomSeriesOption | LineSeriesOption | GridComponentOption>;
export type { CustomSeriesOption };
export { init };
