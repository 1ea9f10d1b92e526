import type { EnvelopeService, Rewriter } from "@/server/augmentation";
import type { Database } from "@/server/db/client";
import type { EvaluationService } from "@/server/evaluation";
import type { EvolutionService } from "@/server/evolution";
import type { HarnessService } from "@/server/harness";
import type { JobQueue } from "@/server/jobs/contract";
import type { JudgeService } from "@/server/judge";
import type { Clock } from "@/server/kernel/clock";
import type { PolicyService } from "@/server/policies";
import type { ReleaseService } from "@/server/release";
import type { TrainingService } from "@/server/training";

/** What triggers need of the studio: `composition.ts` wires it. */
export interface TriggerDeps {
	db: Database;
	clock: Clock;
	queue: Pick<JobQueue, "send" | "work">;
	/** Pauses between the attempts at a webhook; those of ours unless given. */
	backOffMs?: readonly number[];
	/** Says that a workspace's triggers changed (`triggers:<workspace id>`). */
	publish(key: string): Promise<void>;
	evolution: Pick<
		EvolutionService,
		"find" | "current" | "findRound" | "findProposal" | "countLandings" | "evaluateLanding" | "evaluateRound" | "openFinding" | "head"
	>;
	evaluation: Pick<EvaluationService, "findRuns" | "get" | "gapsOf" | "ensureRun" | "currentSuiteVersion">;
	release: Pick<ReleaseService, "facts" | "list">;
	training: Pick<TrainingService, "start" | "list">;
	harness: Pick<HarnessService, "resolveHarness" | "loadSnapshot">;
	policies: Pick<PolicyService, "current">;
	judges: Pick<JudgeService, "current">;
	envelopes: Pick<EnvelopeService, "current">;
	rewriter: Pick<Rewriter, "describe">;
}
