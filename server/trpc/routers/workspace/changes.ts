import { setMaxListeners } from "node:events";
import { tracked } from "@trpc/server";
import { z } from "zod";
import { workspaceProcedure } from "../../init";

/** `evolution`: anything of the workspace's evolutions; `runs`, `trainings`, `ablations`, `triggers`: its list of them; `run:<id>`, `training:<id>`, `proposal:<id>`: that one. */
const TopicSchema = z.string().regex(/^(evolution|runs|trainings|ablations|triggers|(run|training|proposal):[\w-]{1,60})$/);

/** Topics of one stream. */
const MOST_TOPICS = 20;

/** What the notifier calls a topic. The workspace's own topics carry its id, so that nobody hears of another's. */
function keyOf(topic: string, workspaceId: string): string {
	return topic.includes(":") ? topic : `${topic}:${workspaceId}`;
}

/**
 * One stream a tab for all that its page watches: says which topic changed, and nothing of what. Whoever listens reads the
 * rows again through procedures that check their rights. Every topic is said once at the start: after a lost connection
 * nothing is missed.
 */
export const changes = workspaceProcedure("workspace.read")
	.input(z.object({ topics: z.array(TopicSchema).min(1).max(MOST_TOPICS), lastEventId: z.string().nullish() }))
	.subscription(async function* ({ ctx, input, signal }) {
		const stop = signal ?? new AbortController().signal;
		// Every topic listens for the end of the stream: so many are no leak.
		setMaxListeners(2 * MOST_TOPICS, stop);
		const dirty = new Set<string>();
		let wake: () => void = () => undefined;
		const watch = async (topic: string) => {
			for await (const _ of ctx.services.notifier.changes([keyOf(topic, ctx.workspace.id)], stop)) {
				dirty.add(topic);
				wake();
			}
			wake();
		};
		const watchers = [...new Set(input.topics)].map(watch);
		let ended = false;
		void Promise.allSettled(watchers).then(() => {
			ended = true;
			wake();
		});
		for (let count = 1; !ended && !stop.aborted; count++) {
			if (dirty.size === 0) await new Promise<void>((resolve) => (wake = resolve));
			const topics = [...dirty];
			dirty.clear();
			if (topics.length > 0) yield tracked(String(count), { topics });
		}
	});
