/** What the unattended loop writes into findings and reviews: people read it there, so it is in the language of the workspace. */
export interface LoopWords {
	nothingGeneral: string;
	notLanded: string;
	lands: (figures: string) => string;
	rejects: (why: "gains-nothing" | "harm" | "unkept", figures: string) => string;
}

const ENGLISH: LoopWords = {
	nothingGeneral: "The editor had nothing general to say.",
	notLanded: "Its proposal did not land.",
	lands: (figures) => `Lands by rule: it gains by what it predicted and shows no harm (${figures}).`,
	rejects: (why, figures) =>
		`Rejected by rule: ${{ "gains-nothing": "it gains nothing", harm: "it shows harm", unkept: "what it predicted did not happen" }[why]} (${figures}).`,
};

const CHINESE: LoopWords = {
	nothingGeneral: "编辑引擎没有可概括的规则。",
	notLanded: "它的提案没有落地。",
	lands: (figures) => `按规则落地：收益与预测一致，且未见损害（${figures}）。`,
	rejects: (why, figures) => `按规则驳回：${{ "gains-nothing": "没有收益", harm: "有损害", unkept: "预测的修复没有发生" }[why]}（${figures}）。`,
};

export const loopWords = (language: string): LoopWords => (language.startsWith("zh") ? CHINESE : ENGLISH);
