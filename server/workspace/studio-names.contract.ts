import { SERVICE_ACTORS } from "./service-actors.contract";

/** Why the first envelope of a workspace with words of its own is not the default one. */
export const OWN_WORDS = "words of the workspace";

/** A name that the studio gave, or a reason that it entered, as an id of `messages/<language>/names.json` with what goes into it. */
export type StudioName =
	| { id: "system" | "loop-editor" | "loop-reviewer" | "trigger" | "first-evolution" | "own-words"; values?: undefined }
	| { id: "loop"; values: { seed: string } }
	| { id: "loop-control"; values: { seed: string; control: string } };

const PLAIN: Readonly<Record<string, Exclude<StudioName["id"], "loop" | "loop-control">>> = {
	[SERVICE_ACTORS.system.name]: "system",
	[SERVICE_ACTORS.loopEditor.name]: "loop-editor",
	[SERVICE_ACTORS.loopReviewer.name]: "loop-reviewer",
	[SERVICE_ACTORS.trigger.name]: "trigger",
	"First evolution": "first-evolution",
	[OWN_WORDS]: "own-words",
	// As it was written once where the workspace speaks Chinese.
	工作区自带的用语: "own-words",
};
/** As the unattended loop names its evolutions. */
const LOOP = /^Loop, (?:control \((?<control>[\w-]+)\), )?seed (?<seed>\d+)$/;

/** The name as data where the studio gave it (a service, an evolution of its own); null for a person's. Pure. */
export function studioName(name: string): StudioName | null {
	const id = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
	if (id) return { id };
	const { control, seed } = LOOP.exec(name)?.groups ?? {};
	if (!seed) return null;
	return control ? { id: "loop-control", values: { seed, control } } : { id: "loop", values: { seed } };
}
