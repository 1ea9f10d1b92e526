import { messageOf } from "@/server/kernel/errors";
import { ensureBuild } from "./launcher";

/** `npm run build`: the production build, unless the one that is there was made of the same sources. */
ensureBuild((line) => console.log(line)).catch((error: unknown) => {
	console.error(messageOf(error));
	process.exit(1);
});
