import pLimit from "p-limit";

/** Episodes under way at once: their calls travel to the sandbox together, which costs less than one after the other. Of ours. */
const AT_ONCE = 16;

/** Plays for every item, several at once; results in the order of the items. Fails with the first failure, and begins nothing after it. */
export async function playEach<T, R>(items: readonly T[], play: (item: T, index: number) => Promise<R>): Promise<R[]> {
	const limit = pLimit(AT_ONCE);
	try {
		return await Promise.all(items.map((item, i) => limit(() => play(item, i))));
	} catch (error) {
		limit.clearQueue();
		throw error;
	}
}
