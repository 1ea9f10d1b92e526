/** A reply needs a loaded skill: one reminder, then the reply goes out. */
export default {
	on: "reply",
	failure: "open",
	run({ trajectory }) {
		const steps = Array.isArray(trajectory) ? trajectory : (trajectory?.steps ?? []);
		const loaded = steps.some((step) => step.type === "skill" && step.ok);
		const reminded = steps.some((step) => step.type === "hook" && step.hook === "50-reply-skill" && step.outcome === "retry");
		return loaded || reminded ? pass() : retry("回答前先加载一个合适的回复技能，再按技能里的规则回答。");
	},
};
