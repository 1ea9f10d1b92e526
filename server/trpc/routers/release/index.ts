import { router } from "../../init";
import { candidates } from "./candidates";
import { compare } from "./compare";
import { create } from "./create";
import { giveLeave } from "./give-leave";
import { list } from "./list";
import { policyEvaluate } from "./policy-evaluate";
import { policyLeave } from "./policy-leave";
import { policyPreview } from "./policy-preview";
import { policyRelease } from "./policy-release";
import { preview } from "./preview";
import { rollback } from "./rollback";
import { rollbackPreview } from "./rollback-preview";

export const releaseRouter = router({
	candidates,
	compare,
	create,
	giveLeave,
	list,
	policyEvaluate,
	policyLeave,
	policyPreview,
	policyRelease,
	preview,
	rollback,
	rollbackPreview,
});
