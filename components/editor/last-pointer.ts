export interface Point {
	x: number;
	y: number;
}

/** Follows a mouse over a window: `point` is where it is now, null where there is none (it left, or a finger does the work). */
export function followPointer(target: Pick<EventTarget, "addEventListener">): { point(): Point | null } {
	let last: Point | null = null;
	const options = { capture: true, passive: true };
	const follow = (event: Event) => {
		const { pointerType, clientX, clientY } = event as PointerEvent;
		last = pointerType === "touch" ? null : { x: clientX, y: clientY };
	};
	for (const name of ["pointermove", "pointerover", "pointerdown"]) target.addEventListener(name, follow, options);
	const leave = (event: Event) => {
		// Out of one element is into another, unless there is no other.
		if ((event as PointerEvent).relatedTarget === null) last = null;
	};
	target.addEventListener("pointerout", leave, options);
	return { point: () => last };
}

const pointer = typeof document === "undefined" ? null : followPointer(document);

/** Where the mouse is, also where it came to rest before whoever asks was there. */
export const lastPointer = (): Point | null => pointer?.point() ?? null;
