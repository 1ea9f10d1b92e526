/** What `--help` says of a long or delicate command after its options. */
interface HelpNote {
	/** The document under --json (without it the same, indented). */
	prints: string;
	takes: string;
	/** How to stop it, and what is left then. */
	cancel: string;
	/** How to go on with what was stopped. */
	resume: string;
}

const NOTES: Record<string, HelpNote> = {
	train: {
		prints:
			"{training, recipe, seed, policy (the version that it made), checkpoint, card (where its data comes from), steps, curves (the points with a dev sample, in points of 100, scored by the reward judge)}. Progress goes to stderr: stage, step, loss.",
		takes:
			"One to three minutes for live-avatar (some 140 dev cases), by how busy the processor is; more cases take longer. One training of a workspace at a time.",
		cancel:
			"On its page (Training, T-n, Cancel). Ctrl-C ends the command alone: the training stays on the queue and goes on wherever a worker runs, npm start or any command that brings one.",
		resume:
			"The same command again follows a training of the same recipe and seed that is queued or running. One that was cancelled goes on from its last step on its page (Go on); this command would start a new one.",
	},
	"hat-ablation": {
		prints:
			"{workspace, harness, envelope, baseDigest, general, cases, split, seeds, seconds {wall, cpu}, table (a row for each recipe and stage: T1, T2, held-out words, renamed only, general, with 95 % intervals), claims}. The page Training, Ablation takes this document; what is measured is kept there too. With --part: the rows of that part alone. Progress goes to stderr.",
		takes:
			"Some six minutes for three seeds of live-avatar on two idle processors, four times that on busy ones. --seeds 1 --cases 60 shows in a minute or two whether it runs.",
		cancel: "Ctrl-C ends it with all its processes. Without --keep nothing is left of it.",
		resume: "With --keep DIR each finished part is kept there; the same command with the same DIR takes those as they are and makes the others.",
	},
	"harness-edit-test": {
		prints:
			"{workspace, before, after {ref, treeId}, seeds, split, effects (errors before and after, shares fixed and broken, and change for each policy, with 95 % intervals), hatMinusFixed}. Progress goes to stderr.",
		takes: "As long as two trainings a seed, and before that the loop (about four minutes for live-avatar) unless --after names what the harness became.",
		cancel: "Ctrl-C ends it. What the loop landed stays in its evolution; trainings and measurements are not kept.",
		resume:
			"Give what the loop made as --after (a branch or commit of its evolution): the loop is left out then. The trainings start anew, with the same result for the same seed.",
	},
	"retrain-advice": {
		prints:
			"{state (keep-editing, retrain-advised, retrain-due), reasons, wouldChange, unknown, evidence, rule (the thresholds in force) and ruleVersion (0: the defaults), history (earlier advice with what became of it)}. Gaps and gains are in points of 100.",
		takes: "Seconds. It starts no run and no training; an advice that says something else than the last one is kept in the history.",
		cancel: "Ctrl-C, at any time.",
		resume: "Nothing is left to go on with: call it again. An admin changes the thresholds under Training, Signs, Thresholds.",
	},
	triggers: {
		prints:
			"{workspace, days, rules: [{rule, id, version, enabled, event, action, counts, truncated, events: [{at, event, about, would, decision, why, facts}]}]}. The only act is dry-run.",
		takes: "Seconds; longer with many events and a large --days. Nothing is started, sent or changed.",
		cancel: "Ctrl-C, at any time.",
		resume: "Nothing is left to go on with: call it again.",
	},
	advantages: {
		prints:
			"{rows: [{group, advantages, missing, sum, batchNormalised, dropped, why}], groups, dropped, droppedShare}, in the order of the file. A dimension that is left out or null does not apply to the row: it is listed under missing and contributes 0. why says of a dropped row: alone (no other row of its group to compare with), no-reward, or equal (no better and no worse than its group).",
		takes: "Under a second for some thousand rows. It reads the file, and no database.",
		cancel: "Ctrl-C, at any time.",
		resume: "Nothing is left to go on with: call it again.",
	},
};

const WIDTH = 80;

function wrap(text: string, indent: string): string {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(" ")) {
		if (line !== "" && indent.length + line.length + 1 + word.length > WIDTH) {
			lines.push(indent + line);
			line = word;
		} else line = line === "" ? word : `${line} ${word}`;
	}
	return [...lines, indent + line].join("\n");
}

/** The note of a command, ready to stand after its options; empty for a command that needs none. */
export function helpNote(command: string): string {
	const note = Object.hasOwn(NOTES, command) ? NOTES[command] : undefined;
	if (!note) return "";
	const parts = [
		["Prints under --json:", note.prints],
		["Takes:", note.takes],
		["Cancel:", note.cancel],
		["Resume:", note.resume],
	] as const;
	return parts.map(([title, text]) => `\n${title}\n${wrap(text, "  ")}`).join("\n");
}
