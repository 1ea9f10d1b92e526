import { componentViews } from "./component-views";
import type { Draft, HarnessFiles, HarnessKind, ValidationContext, WorkbenchView } from "./contract";
import { editorAssist } from "./editor-assist";
import { applyChanges } from "./file-paths";
import { treeIdOf } from "./git-objects";
import { validateHarness } from "./validate-harness";

/** Everything that the Harness page shows of a draft: its files judged, grouped and explained. */
export function workbenchView(input: {
	kind: HarnessKind;
	branch: string;
	head: string;
	baseCommit: string;
	baseFiles: HarnessFiles;
	draft: Draft | null;
	context: ValidationContext;
}): WorkbenchView {
	const { kind, branch, head, baseCommit, baseFiles, draft, context } = input;
	const files = draft ? applyChanges(baseFiles, draft.changes) : baseFiles;
	const { problems } = validateHarness(files, context);
	return {
		kind,
		branch,
		head,
		baseCommit,
		baseFiles,
		draft,
		baseMoved: baseCommit !== head,
		treeId: treeIdOf(files),
		...componentViews(baseFiles, files, problems),
		problems,
		assist: editorAssist(files, { handlers: context.handlers ?? [], connections: context.connections ?? [], rooms: context.rooms }),
	};
}
