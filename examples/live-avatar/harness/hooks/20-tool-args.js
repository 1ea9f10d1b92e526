/** Arguments that no product or budget can have go back to the model before the tool is called. */
export default {
	on: "tool-call",
	failure: "closed",
	run({ args }) {
		const product = String(args.product ?? "");
		if (product.length > 60) return retry("product 请填商品名称、链接号或编号，不要填整段话。");
		if (args.maxPrice !== undefined && !(Number(args.maxPrice) > 0)) return retry("maxPrice 必须是大于 0 的数。");
		return pass();
	},
};
