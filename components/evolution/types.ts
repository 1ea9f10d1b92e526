import type { EvolutionOverview, RoundDetail } from "@/server/evolution/contract";

export type Overview = EvolutionOverview;
export type OverviewRound = Overview["rounds"][number];
export type HeatRow = Overview["heatmap"]["rows"][number];
export type HeatCell = HeatRow["accuracy"][number];
export type Waiting = Overview["waiting"][number];
export type Digest = NonNullable<OverviewRound["againstBaseline"]>;
export type Dimension = "accuracy" | "effectiveness";
export type CurveSplit = "test" | "dev";
export type Round = RoundDetail;
