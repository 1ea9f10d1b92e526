import { ChartSpline, Database, GitPullRequestArrow, GraduationCap, ListVideo, type LucideIcon, Puzzle, SearchCheck, Settings2, Tag } from "lucide-react";
import type { Shell } from "@/server/workspace/contract";

export interface NavItem {
	/** Key of its name under `shell.nav`. */
	id: "evolution" | "harness" | "findings" | "reviews" | "runs" | "cases" | "releases" | "training" | "settings";
	path: string;
	icon: LucideIcon;
	/** Which count of the shell stands beside it; quiet where it is no call to act. */
	count?: keyof Shell["counts"];
	quiet?: boolean;
}

export const NAV: readonly NavItem[] = [
	{ id: "evolution", path: "evolution", icon: ChartSpline },
	{ id: "harness", path: "harness", icon: Puzzle },
	{ id: "findings", path: "findings", icon: SearchCheck, count: "findings" },
	{ id: "reviews", path: "reviews", icon: GitPullRequestArrow, count: "reviews" },
	{ id: "runs", path: "runs", icon: ListVideo, count: "runs", quiet: true },
	{ id: "cases", path: "cases", icon: Database },
	{ id: "releases", path: "releases", icon: Tag },
	{ id: "training", path: "training", icon: GraduationCap, count: "trainings" },
	{ id: "settings", path: "settings", icon: Settings2 },
];

/** The four that stand in the bar at 390 px; the rest is behind "More". */
export const TAB_BAR: readonly NavItem["id"][] = ["evolution", "findings", "reviews", "runs"];

/** The address of a page of a workspace: `workspacePath("live-avatar", "runs", "R-12")`. */
export function workspacePath(workspace: string, ...parts: string[]): string {
	return ["/w", encodeURIComponent(workspace), ...parts.map(encodeURIComponent)].join("/");
}

/** Which area a path belongs to. */
export function areaOf(pathname: string): NavItem["id"] | null {
	const [, root, , area] = pathname.split("/");
	if (root !== "w") return null;
	return NAV.find((item) => item.path === area)?.id ?? null;
}

/** Work surfaces (the editor, one review, one run) get a rail of icons only. */
export function isTight(pathname: string): boolean {
	const [, , , area, detail] = pathname.split("/");
	return area === "harness" || ((area === "reviews" || area === "runs") && Boolean(detail));
}
