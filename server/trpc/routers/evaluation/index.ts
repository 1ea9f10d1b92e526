import { router } from "../../init";
import { compare } from "./compare";
import { episode } from "./episode";
import { estimate } from "./estimate";
import { facets } from "./facets";
import { results } from "./results";
import { resultsExport } from "./results-export";
import { run } from "./run";
import { runControl } from "./run-control";
import { runFollow } from "./run-follow";
import { runStart } from "./run-start";
import { runs } from "./runs";
import { startOptions } from "./start-options";

export const evaluationRouter = router({
	runs,
	run,
	runFollow,
	runStart,
	runControl,
	startOptions,
	estimate,
	results,
	resultsExport,
	facets,
	episode,
	compare,
});
