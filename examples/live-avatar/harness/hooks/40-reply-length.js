/** Replies longer than the limit go back to the model. */
export default {
	on: "reply",
	failure: "closed",
	run({ reply, constraints }) {
		const length = [...reply].length;
		return length > constraints.replyMaxChars ? retry(`回复有 ${length} 字，超过了 ${constraints.replyMaxChars} 字，请缩短，先保留结论。`) : pass();
	},
};
