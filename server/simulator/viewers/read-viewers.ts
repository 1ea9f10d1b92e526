import { AppError, messageOf } from "@/server/kernel/errors";
import { type Viewers, ViewersSchema } from "./contract";

const refuse = (why: string) =>
	new AppError("bad-input", `The viewers of the workspace cannot be read: ${why}`, {
		reason: "viewers-invalid",
		fix: "See viewers/ in docs/workspace-format.md.",
	});

/**
 * Viewers out of a workspace's files: `viewers/personas.json`, `habits.json`, `session.json`, and every other
 * `viewers/*.json` as a list of goals. Null where the workspace has none; throws `bad-input` for what does not fit.
 */
export function readViewers(files: Record<string, string>): Viewers | null {
	const names = Object.keys(files)
		.filter((name) => /^viewers\/[^/]+\.json$/u.test(name))
		.sort();
	if (names.length === 0) return null;
	const read = (name: string): unknown => {
		try {
			return JSON.parse(files[name] ?? "null");
		} catch (error) {
			throw refuse(`${name}: ${messageOf(error)}`);
		}
	};
	const fixed = ["viewers/personas.json", "viewers/habits.json", "viewers/session.json"];
	const goals = names.filter((name) => !fixed.includes(name)).flatMap((name) => read(name) as unknown[]);
	const [personas, habits, session] = fixed.map(read);
	const parsed = ViewersSchema.safeParse({ personas, habits, session, goals });
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		throw refuse(`${issue?.path.join(".")}: ${issue?.message}`);
	}
	const known = new Set(parsed.data.habits.map((habit) => habit.id));
	for (const persona of parsed.data.personas)
		for (const habit of persona.habits) if (!known.has(habit)) throw refuse(`persona ${persona.id} types in an unknown way: ${habit}`);
	return parsed.data;
}
