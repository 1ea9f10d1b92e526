import type { CommentView, ProposalDetail, ProposalSummary } from "@/server/evolution/contract";

export type Proposal = ProposalDetail;
export type Summary = ProposalSummary;
export type Comment = CommentView;

export interface Thread {
	root: Comment;
	replies: Comment[];
}

/** Comments as threads, oldest first; one level deep, as the server keeps them. */
export function toThreads(comments: readonly Comment[]): Thread[] {
	return comments.filter((c) => c.parentId === null).map((root) => ({ root, replies: comments.filter((c) => c.parentId === root.id) }));
}

/** Where a comment stands in the diff. */
export interface Place {
	path: string;
	line: number;
	side: "old" | "new";
}
