import { router } from "../../init";
import { list } from "./list";

export const policiesRouter = router({ list });
