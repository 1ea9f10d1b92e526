import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import english from "@/messages/en/settings.json";
import chinese from "@/messages/zh/settings.json";
import { AUDIT_ACTIONS } from "./audit-actions.contract";
import { AUDIT_TEXTS, type AuditText, auditReason, auditSubject } from "./audit-subjects.contract";

const fill = (text: string, values: AuditText["values"]) => text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
const commit = "571d50c961";

// As each place that records them writes them.
const SUBJECTS: [action: string, subject: string, id: AuditText["id"]][] = [
	["ablation.store", "ablation A-3", "ablation"],
	["alarm.acknowledge", "price-promotion: R-12 against R-3", "alarm"],
	["case.import", "suite t1 v4", "suite"],
	["endpoint.role", "judge", "role"],
	["envelope.save", "envelope v2", "envelope"],
	["evolution.start", `evolution/loop-seed-1 at ${commit}`, "at-commit"],
	["evolution.reopen", "evolution/first-evolution after Evo.2", "branch-after"],
	["evolution.stop", "evolution/first-evolution after Evo.2", "branch-after"],
	["finding.diagnose", "run R-2 on evolution/first-evolution", "run-on"],
	["finding.reject", "finding F-118", "finding"],
	["gate-policy.update", "gate policy v2", "gate-policy"],
	["gate.override-fail", "evolution/first-evolution Evo.1 against base", "against"],
	["gate.override-fail", "policy compact-2 against compact", "policy-against"],
	["harness.remote", "agent harness", "harness"],
	["holdout.read", "evolution/first-evolution reading 1 of 3", "reading"],
	["holdout.read", "policy compact-2 reading 1 of 3", "policy-reading"],
	["policy.evaluate", "compact-2 against compact", "against"],
	["policy.remove", "policy hat v2", "policy"],
	["proposal.withdraw", "proposal #41", "proposal"],
	["proposal.submit", "proposal #41 r2", "revision"],
	["proposal.land", "proposal #41 r2 on evolution/first-evolution", "revision-on"],
	["release.create", `v2 at ${commit}`, "at-commit"],
	["release.rollback", `v3 at ${commit}`, "at-commit"],
	["retraining.confirm", "retraining hat seed 1, proposed by Gap, as measured", "retraining"],
	["round.close", `evolution/first-evolution Evo.1 at ${commit}`, "branch-round"],
	["run.start", "run R-12", "run"],
	["training.start", "training T-1", "training"],
	["trigger.disable", "landing-dev v2", "trigger"],
];

it.each(SUBJECTS)("%s: knows %j", (action, subject, id) => {
	expect(AUDIT_ACTIONS).toContain(action);
	const known = auditSubject(action, subject);
	expect(known?.id).toBe(id);
	expect(known && fill(AUDIT_TEXTS[known.id], known.values)).toBe(subject);
});

it.each<[action: string, subject: string]>([
	["run.start", "run R-12 and more"],
	["person.add", "finding F-1"],
	["token.create", "run R-1"],
	["endpoint.create", "gate policy v1"],
	["workspace.create", "live-avatar"],
	["proposal.request", "F-48, F-49"],
	["trigger.delete", "Tell the team"],
	["constructor", "run R-1"],
])("%s: leaves %j as it is", (action, subject) => {
	expect(auditSubject(action, subject)).toBeNull();
});

it("knows the studio's own reason, and no person's", () => {
	const reason = "2 strike(s) and 0 stale round(s) reach the patience of 2";
	expect(auditReason("evolution.stop", reason)).toEqual({ id: "patience", values: { strikes: "2", stale: "0", patience: "2" } });
	expect(auditReason("evolution.reopen", reason)).toBeNull();
	expect(auditReason("evolution.stop", "We have seen enough.")).toBeNull();
});

describe.each([
	["en", english],
	["zh", chinese],
])("the words in %s", (locale, messages) => {
	const words: Record<string, string> = messages.audit.subjects;
	it.each(Object.entries(AUDIT_TEXTS))("say %s with all its values", (id, text) => {
		const names = [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
		const values = Object.fromEntries(names.map((name, index) => [name, `${101 + index}`]));
		const faults: string[] = [];
		const t = createTranslator({ locale, messages: words as never, onError: ({ message }) => void faults.push(message) });
		const said = (t as unknown as (key: string, values: Record<string, string>) => string)(id, values);
		expect(faults).toEqual([]);
		// These two choose a word; all others stand in the sentence.
		for (const name of names) if (name !== "kind" && name !== "recipe") expect(said).toContain(values[name]);
		if (locale === "zh" && /[a-z]{2}/.test(text.replace(/\{\w+\}/g, ""))) expect(said).not.toBe(fill(text, values));
	});
	it("are of nothing else", () => expect(Object.keys(words).sort()).toEqual(Object.keys(AUDIT_TEXTS).sort()));
});
