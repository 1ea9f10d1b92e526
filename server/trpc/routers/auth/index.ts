import { router } from "../../init";
import { me } from "./me";
import { peopleList } from "./people-list";
import { personCreate } from "./person-create";
import { personResetPassword } from "./person-reset-password";
import { personSetDisabled } from "./person-set-disabled";
import { personSetRoles } from "./person-set-roles";
import { signInOptions } from "./sign-in-options";
import { tokenCreate } from "./token-create";
import { tokenRevoke } from "./token-revoke";
import { tokensList } from "./tokens-list";

export const authRouter = router({
	me,
	signInOptions,
	peopleList,
	personCreate,
	personSetRoles,
	personSetDisabled,
	personResetPassword,
	tokensList,
	tokenCreate,
	tokenRevoke,
});
