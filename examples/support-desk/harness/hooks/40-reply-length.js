/** Replies longer than the limit go back to the model. */
export default {
	on: "reply",
	failure: "closed",
	run({ reply, constraints }) {
		const length = [...reply].length;
		return length > constraints.replyMaxChars ? retry(`The reply has ${length} characters; the limit is ${constraints.replyMaxChars}.`) : pass();
	},
};
