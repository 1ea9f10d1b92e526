import { notFound } from "next/navigation";

/** An address of nothing inside a workspace keeps its frame, so that the way back is one click. */
export default function NothingHere(): never {
	notFound();
}
