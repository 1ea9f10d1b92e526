import { router } from "../../init";
import { dryRun } from "./dry-run";
import { firings } from "./firings";
import { list } from "./list";
import { nextTimes } from "./next-times";
import { remove } from "./remove";
import { retrainingConfirm } from "./retraining-confirm";
import { retrainingReject } from "./retraining-reject";
import { retrainings } from "./retrainings";
import { save } from "./save";
import { switchOne } from "./switch";
import { tokenCreate } from "./token-create";
import { versions } from "./versions";

export const triggersRouter = router({
	dryRun,
	firings,
	list,
	nextTimes,
	remove,
	retrainingConfirm,
	retrainingReject,
	retrainings,
	save,
	switch: switchOne,
	tokenCreate,
	versions,
});
