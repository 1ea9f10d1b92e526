import { useKept } from "@/components/ui/use-kept";

const NOTHING = { title: "", summary: "", pattern: "", linked: [] as string[], fixes: [] as string[], breaks: [] as string[] };

/** What is entered to propose a draft. It outlives the dialog, as the draft does; both are given up together. */
export const useProposalWords = (slug: string, branch: string) => useKept(`propose:${slug}:${branch}`, NOTHING);
