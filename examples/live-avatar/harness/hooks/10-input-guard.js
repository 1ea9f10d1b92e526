/** Phone and identity numbers that a viewer types never reach the model or a reply. */
export default {
	on: "input",
	failure: "open",
	run({ message }) {
		const masked = message.replace(/(?<![0-9A-Za-z])\d{17}[\dXx](?![0-9A-Za-z])/g, "［证件号］").replace(/(?<![0-9A-Za-z])1[3-9]\d{9}(?!\d)/g, "［手机号］");
		return masked === message ? pass() : replace(masked);
	},
};
