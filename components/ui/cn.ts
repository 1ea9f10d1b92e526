import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

// Our sizes are named by their pixels; without this, `text-12 text-ink` would look like two colours and one would be dropped.
const merge = extendTailwindMerge({
	extend: { theme: { text: ["11", "12", "13", "14", "16", "20"], radius: ["2", "4", "6"], shadow: ["pop"], breakpoint: ["md", "lg"] } },
});

/** Joins class names; of two that set the same property the later wins. */
export function cn(...inputs: ClassValue[]): string {
	return merge(clsx(inputs));
}
