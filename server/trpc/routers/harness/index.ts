import { router } from "../../init";
import { archive } from "./archive";
import { blame } from "./blame";
import { branches } from "./branches";
import { compare } from "./compare";
import { draftDiscard } from "./draft-discard";
import { draftList } from "./draft-list";
import { draftRebase } from "./draft-rebase";
import { draftRestore } from "./draft-restore";
import { draftSave } from "./draft-save";
import { draftTakeBack } from "./draft-take-back";
import { exportSkills } from "./export-skills";
import { exportTools } from "./export-tools";
import { file } from "./file";
import { history } from "./history";
import { importSkills } from "./import-skills";
import { importTools } from "./import-tools";
import { open } from "./open";
import { preview } from "./preview";
import { remoteSet } from "./remote-set";
import { surroundings } from "./surroundings";
import { validate } from "./validate";

export const harnessRouter = router({
	archive,
	blame,
	branches,
	compare,
	draftDiscard,
	draftList,
	draftRebase,
	draftRestore,
	draftSave,
	draftTakeBack,
	exportSkills,
	exportTools,
	file,
	history,
	importSkills,
	importTools,
	open,
	preview,
	remoteSet,
	surroundings,
	validate,
});
