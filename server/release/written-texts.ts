import chinese from "@/messages/zh/written.json";
import { createWriter } from "@/server/kernel/phrase";

/** What the studio writes for people around a release: its notes, and what the unattended loop says of its decisions. */
export const RELEASE_TEXTS = {
	"notes-head": "{title} · {round}, compared with {against}",
	"notes-proposal": "**#{number} {title}** ({round})",
	"notes-because": "For {findings}",
	"notes-by": "{by}; {approval}",
	"notes-by-unattended": "{by}; {approval} (unattended)",
	"notes-none": "No proposal landed.",
	"notes-baseline": "the baseline",
	"notes-finding": "F-{number} {title}",
	"by-people": "By {authors}",
	"by-engine": "By {engine} for {authors}",
	"built-in-engine": "the built-in engine",
	"approved-by": "approved by {name}",
	"approved-by-nobody": "approved by nobody",
	policy: "{policy} acts in place of {before}; the files stay as they were.",
	rollback: "Back from {from} to {to}.",
	"nothing-general": "The editor had nothing general to say.",
	"not-landed": "Its proposal did not land.",
	"lands-by-rule": "Lands by rule: it gains by what it predicted and shows no harm (dev: Accuracy {accuracy}, Effectiveness {effectiveness}).",
	"rejected-by-rule": "Rejected by rule: {why} (dev: Accuracy {accuracy}, Effectiveness {effectiveness}).",
	"why-gains-nothing": "it gains nothing",
	"why-harm": "it shows harm",
	"why-unkept": "what it predicted did not happen",
} as const;

/** Writes one of these sentences in the language of a workspace, with its phrase for a screen in another. */
export const releaseWriter = createWriter(RELEASE_TEXTS, chinese);
