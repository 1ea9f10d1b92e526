/** log of the softmax of `logits`; stable for large values. */
export function logSoftmax(logits: ArrayLike<number>): number[] {
	let top = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < logits.length; i++) top = Math.max(top, logits[i] as number);
	let sum = 0;
	for (let i = 0; i < logits.length; i++) sum += Math.exp((logits[i] as number) - top);
	const total = top + Math.log(sum);
	const logs: number[] = [];
	for (let i = 0; i < logits.length; i++) logs.push((logits[i] as number) - total);
	return logs;
}
