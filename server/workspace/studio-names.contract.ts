import { SERVICE_ACTORS } from "./service-actors.contract";

/** A name that the studio gave, as an id of `messages/<language>/names.json` with what goes into it. */
export type StudioName =
	| { id: "system" | "loop-editor" | "loop-reviewer" | "trigger" | "first-evolution"; values?: undefined }
	| { id: "loop"; values: { seed: string } }
	| { id: "loop-control"; values: { seed: string; control: string } };

const PLAIN: Readonly<Record<string, Exclude<StudioName["id"], "loop" | "loop-control">>> = {
	[SERVICE_ACTORS.system.name]: "system",
	[SERVICE_ACTORS.loopEditor.name]: "loop-editor",
	[SERVICE_ACTORS.loopReviewer.name]: "loop-reviewer",
	[SERVICE_ACTORS.trigger.name]: "trigger",
	"First evolution": "first-evolution",
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
