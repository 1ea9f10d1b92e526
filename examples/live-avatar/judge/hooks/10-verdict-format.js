/** A verdict that is not the agreed JSON goes back to the judge. */
export default {
	on: "reply",
	failure: "closed",
	run({ reply, constraints }) {
		let verdict;
		try {
			verdict = JSON.parse(reply);
		} catch {
			return retry("请只输出一个 JSON 对象，不加代码框和说明。");
		}
		if (![0, 1].includes(verdict?.accuracy)) return retry("accuracy 只能是 0 或 1。");
		if (![0, 0.5, 1].includes(verdict.effectiveness)) return retry("effectiveness 只能是 0、0.5 或 1。");
		if (!Array.isArray(verdict.evidence)) return retry("evidence 必须是数组。");
		const lost = (dimension) => verdict.evidence.some((item) => item?.dimension === dimension && item.ok === false);
		if (verdict.accuracy < 1 && !lost("accuracy")) return retry("accuracy 失分要有一条 ok 为 false 的证据。");
		if (verdict.effectiveness < 1 && !lost("effectiveness")) return retry("effectiveness 失分要有一条 ok 为 false 的证据。");
		const length = [...String(verdict.reason ?? "")].length;
		return length > constraints.reasonMaxChars ? retry(`reason 有 ${length} 字，超过了 ${constraints.reasonMaxChars} 字。`) : pass();
	},
};
