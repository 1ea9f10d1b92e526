import type { AgentDependencies } from "@/server/agent";
import type { Database } from "@/server/db/client";
import type { Harness } from "@/server/harness/contract";
import { AppError } from "@/server/kernel/errors";
import { fingerprint } from "@/server/kernel/hash";
import type { ChatModel } from "@/server/models/contract";
import type { Judge, JudgeVersion } from "./contract";
import { findJudgeRow, insertJudgeRow, listJudgeRows } from "./judge.repository";
import { PLAIN_JUDGE } from "./judge-harness";
import { createLlmJudge, LLM_JUDGE_VERSION } from "./llm-judge";
import { createRubricJudge } from "./rubric-judge";

export interface JudgePorts {
	/** Head of the judge harness's released branch; null when the workspace has no judge harness. */
	judgeHead(workspaceId: string): Promise<{ commit: string; treeId: string } | null>;
	/** A judge harness by tree id, from the snapshots; workers need no repository. */
	loadHarness(treeId: string): Promise<Harness>;
	/** The endpoint that plays the judge in a workspace; null means the rubric's checkers alone. */
	judgeEndpoint(workspaceId: string): Promise<{ id: string; fingerprint: string } | null>;
	openEndpoint(endpointId: string): Promise<ChatModel>;
}

/** Tree id of a workspace without a judge harness: the rubric's checkers need none, and a model judges by the plain one. */
const NO_HARNESS = PLAIN_JUDGE.treeId;

/**
 * Versions of the judge. A version is the judge harness's commit and the engine that runs it; a comparison is valid only
 * between runs with one version, so whatever can change a verdict changes the fingerprint.
 */
export function createJudgeService(db: Database, ports: JudgePorts) {
	const rubric = createRubricJudge();
	const printOf = (treeId: string, endpoint: string | null) =>
		fingerprint({ treeId, rubric: rubric.describe().fingerprint, endpoint: endpoint && `${LLM_JUDGE_VERSION}/${endpoint}` });

	async function get(id: string): Promise<JudgeVersion> {
		const version = await findJudgeRow(db, id);
		if (!version)
			throw new AppError("not-found", "There is no such judge version.", {
				reason: "judge-unknown",
				params: { name: id },
				fix: "Choose a judge from the list of versions.",
			});
		return version;
	}

	return {
		/** Throws `not-found`. */
		get,
		list: (workspaceId: string) => listJudgeRows(db, workspaceId),

		/** The judge in force, as a version; made when its harness or engine has changed since the last. Safe when several processes ask at once. */
		async current(workspaceId: string): Promise<JudgeVersion> {
			const head = (await ports.judgeHead(workspaceId)) ?? { commit: NO_HARNESS, treeId: NO_HARNESS };
			const endpoint = await ports.judgeEndpoint(workspaceId);
			const print = printOf(head.treeId, endpoint?.fingerprint ?? null);
			for (;;) {
				const versions = await listJudgeRows(db, workspaceId);
				const found = versions.find((version) => version.fingerprint === print);
				if (found) return found;
				const engine = endpoint ? "llm" : "rubric";
				await insertJudgeRow(db, {
					workspaceId,
					name: `judge-${versions.length + 1}`,
					commit: head.commit,
					treeId: head.treeId,
					engine,
					endpointId: endpoint?.id ?? null,
					fingerprint: print,
				});
			}
		},

		/** The judge of a version, ready to score; `agent` runs its harness. Throws `precondition` when what it was made of has changed since. */
		async load(id: string, agent: AgentDependencies): Promise<Judge> {
			const version = await get(id);
			const endpoint = version.endpointId ? await ports.judgeEndpoint(version.workspaceId) : null;
			const now = printOf(version.treeId, version.endpointId ? (endpoint?.fingerprint ?? "gone") : null);
			if (now !== version.fingerprint || (version.endpointId && endpoint?.id !== version.endpointId))
				throw new AppError("precondition", `${version.name} can no longer score: its engine has changed since.`, {
					reason: "judge-changed",
					params: { name: version.name },
					fix: "Start the run again; it will use the judge as it is now.",
				});
			if (!version.endpointId) return rubric;
			const harness = version.treeId === NO_HARNESS ? PLAIN_JUDGE : await ports.loadHarness(version.treeId);
			return createLlmJudge(await ports.openEndpoint(version.endpointId), harness, agent);
		},
	};
}

export type JudgeService = ReturnType<typeof createJudgeService>;
