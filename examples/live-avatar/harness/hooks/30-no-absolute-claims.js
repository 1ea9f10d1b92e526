/** Absolute and medical words go back to the model: advertising law forbids them. */
export default {
	on: "reply",
	failure: "closed",
	run({ reply }) {
		const BANNED = ["全网最低", "史上最低", "最便宜", "国家级", "第一品牌", "百分百有效", "100%有效", "根治", "治愈", "包治", "立竿见影", "永久有效", "绝不过敏", "不会过敏", "零风险"];
		const found = BANNED.filter((word) => reply.includes(word));
		return found.length > 0 ? retry(`“${found.join("”“")}”是绝对化或医疗用语，请去掉，只说有依据的内容。`) : pass();
	},
};
