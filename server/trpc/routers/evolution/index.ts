import { router } from "../../init";
import { acknowledgeAlarm } from "./acknowledge-alarm";
import { closeEvolution } from "./close-evolution";
import { closeRound } from "./close-round";
import { comment } from "./comment";
import { diagnose } from "./diagnose";
import { editsRequest } from "./edits-request";
import { evaluateRound } from "./evaluate-round";
import { finding } from "./finding";
import { findingDecide } from "./finding-decide";
import { findings } from "./findings";
import { gatePolicies } from "./gate-policies";
import { gatePolicy } from "./gate-policy";
import { land } from "./land";
import { overview } from "./overview";
import { proposal } from "./proposal";
import { proposalCreate } from "./proposal-create";
import { proposalSave } from "./proposal-save";
import { proposalSubmit } from "./proposal-submit";
import { proposalTry } from "./proposal-try";
import { proposalUpdate } from "./proposal-update";
import { proposalWithdraw } from "./proposal-withdraw";
import { proposals } from "./proposals";
import { reopen } from "./reopen";
import { review } from "./review";
import { round } from "./round";
import { start } from "./start";
import { taskCancel } from "./task-cancel";
import { tasks } from "./tasks";
import { threadResolve } from "./thread-resolve";
import { updateGatePolicy } from "./update-gate-policy";

export const evolutionRouter = router({
	acknowledgeAlarm,
	closeEvolution,
	closeRound,
	comment,
	diagnose,
	editsRequest,
	evaluateRound,
	finding,
	findingDecide,
	findings,
	gatePolicies,
	gatePolicy,
	land,
	overview,
	proposal,
	proposalCreate,
	proposalSave,
	proposalSubmit,
	proposalTry,
	proposalUpdate,
	proposalWithdraw,
	proposals,
	reopen,
	review,
	round,
	start,
	taskCancel,
	tasks,
	threadResolve,
	updateGatePolicy,
});
