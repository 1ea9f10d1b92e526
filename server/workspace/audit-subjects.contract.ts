/**
 * How the audit log names what was done to, and the reasons that the studio itself enters, with names between braces for
 * values. Each has its words in both languages under `settings.audit.subjects`; what is stored is the English one.
 */
export const AUDIT_TEXTS = {
	ablation: "ablation A-{number}",
	against: "{candidate} against {reference}",
	alarm: "{category}: R-{number} against R-{base}",
	"at-commit": "{name} at {commit}",
	"branch-after": "{branch} after {round}",
	"branch-round": "{branch} {round} at {commit}",
	envelope: "envelope v{version}",
	finding: "finding F-{number}",
	"gate-policy": "gate policy v{version}",
	harness: "{kind} harness",
	patience: "{strikes} strike(s) and {stale} stale round(s) reach the patience of {patience}",
	policy: "policy {policy}",
	"policy-against": "policy {candidate} against {reference}",
	"policy-reading": "policy {policy} reading {number} of {most}",
	proposal: "proposal #{number}",
	reading: "{branch} reading {number} of {most}",
	retraining: "retraining {recipe} seed {seed}, proposed by {trigger}",
	revision: "proposal #{number} r{revision}",
	"revision-on": "proposal #{number} r{revision} on {branch}",
	role: "{role}",
	run: "run R-{number}",
	"run-on": "run R-{number} on {branch}",
	suite: "suite {suite} v{version}",
	training: "training T-{number}",
	trigger: "{trigger} v{version}",
} as const;
export type AuditTextId = keyof typeof AUDIT_TEXTS;

/** By action, or by its kind, what its subject may be; the first that fits counts. Subjects of other actions are names of people's. */
const SUBJECTS: Readonly<Record<string, readonly AuditTextId[]>> = {
	ablation: ["ablation"],
	alarm: ["alarm"],
	case: ["suite"],
	"endpoint.role": ["role"],
	envelope: ["envelope"],
	evolution: ["branch-after", "at-commit"],
	finding: ["finding", "run-on"],
	"gate-policy": ["gate-policy"],
	"gate.override-fail": ["policy-against", "against"],
	harness: ["harness"],
	holdout: ["policy-reading", "reading"],
	"policy.evaluate": ["against"],
	"policy.import": ["policy"],
	"policy.remove": ["policy"],
	proposal: ["proposal", "revision", "revision-on"],
	release: ["at-commit"],
	retraining: ["retraining"],
	round: ["branch-round"],
	run: ["run"],
	training: ["training"],
	trigger: ["trigger"],
};
const REASONS: typeof SUBJECTS = { "evolution.stop": ["patience"] };

const NUMBERS = new Set(["base", "most", "number", "patience", "revision", "seed", "stale", "strikes", "version"]);

/** What a template lets pass, with its names as groups. */
function patternOf(template: string): RegExp {
	const parts = template.split(/\{(\w+)\}/);
	const source = parts.map((part, index) =>
		index % 2 === 0 ? part.replace(/[()+.?]/g, "\\$&") : `(?<${part}>${NUMBERS.has(part) ? "\\d+" : part === "commit" ? "[0-9a-f]{10}" : ".+"})`,
	);
	return new RegExp(`^${source.join("")}$`);
}

/** A text of the studio as data: the id of its words, and what goes into them. */
export interface AuditText {
	id: AuditTextId;
	values: Readonly<Record<string, string>>;
}

function read(table: typeof SUBJECTS, action: string, text: string): AuditText | null {
	const key = [action, action.split(".")[0] ?? ""].find((one) => Object.hasOwn(table, one));
	for (const id of (key && table[key]) || []) {
		const found = patternOf(AUDIT_TEXTS[id]).exec(text);
		if (found) return { id, values: { ...found.groups } };
	}
	return null;
}

/** The subject of an entry where the studio worded it; null for a name that stands as it is. Pure. */
export const auditSubject = (action: string, subject: string): AuditText | null => read(SUBJECTS, action, subject);

/** The reason of an entry where the studio worded it without a phrase; null for a person's. Pure. */
export const auditReason = (action: string, reason: string): AuditText | null => read(REASONS, action, reason);
