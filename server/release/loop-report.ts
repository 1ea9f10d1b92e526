import { pointsOrNull } from "@/server/evaluation";
import { type EvolutionService, recommendRound, reportComparison, reportScores, roundName, toRoundComparison } from "@/server/evolution";
import type { LoopReport, LoopRound } from "@/server/evolution/contract";

/** The report of an evolution as `loop` prints it: every closed round with its scores on dev and test, verdicts and proposals. */
export async function buildLoopReport(
	{ evolution }: { evolution: EvolutionService },
	input: { workspaceId: string; workspace: string; evolutionId: string; release: string | null; interrupted: string | null; notes: string[] },
): Promise<LoopReport> {
	const { workspaceId, evolutionId } = input;
	const row = await evolution.find(workspaceId, evolutionId);
	const rounds = (await evolution.rounds(evolutionId)).filter((r) => r.status === "closed");
	const runs = await evolution.runs(rounds.flatMap((r) => [r.devRunId, r.testRunId]));
	const testOf = (name: string) => rounds.find((r) => roundName(r.index) === name)?.testRunId ?? null;
	const scored: Parameters<typeof recommendRound>[0][number][] = [];
	const described: LoopRound[] = [];
	for (const round of rounds) {
		const scores = (id: string | null) => {
			const summary = id ? runs.get(id)?.summary : null;
			return summary ? reportScores(id, summary) : null;
		};
		const anchor = round.standing?.againstAnchor?.anchor ?? "base";
		const base = round.index === 0 ? null : await evolution.compare(workspaceId, testOf("base"), round.testRunId);
		const against = round.index === 0 ? null : await evolution.compare(workspaceId, testOf(anchor), round.testRunId);
		if (base)
			scored.push({
				index: round.index,
				avg: runs.get(round.testRunId ?? "")?.summary?.avg.value ?? 0,
				againstBaseline: round.standing?.againstBaseline ? toRoundComparison(base) : null,
			});
		described.push({
			name: roundName(round.index),
			commit: round.headCommit,
			dev: scores(round.devRunId),
			test: scores(round.testRunId),
			verdicts:
				base && against && round.standing
					? {
							againstBaseline: reportComparison(base, "base"),
							againstAnchor: reportComparison(against, anchor),
							effect: round.standing.effect,
							strikes: round.standing.strikes,
							stale: round.standing.stale,
						}
					: null,
			eligible: round.standing?.eligible ?? false,
			proposals: await proposalsOf(evolution, workspaceId, round.id),
		});
	}
	const recommended = recommendRound(scored);
	return {
		workspace: input.workspace,
		evolution: row.slug,
		rounds: described,
		recommended: recommended === null ? null : roundName(recommended),
		stopped: row.status === "stopped" && row.stoppedAfter !== null ? roundName(row.stoppedAfter) : null,
		release: input.release,
		interrupted: input.interrupted,
		notes: input.notes,
	};
}

async function proposalsOf(evolution: EvolutionService, workspaceId: string, roundId: string): Promise<LoopRound["proposals"]> {
	const found = (await evolution.proposals({ workspaceId, roundId })).toReversed();
	return Promise.all(
		found.map(async (p) => ({
			number: p.number,
			title: p.title,
			engine: p.engine,
			status: p.status,
			unattended: p.unattended,
			files: (await evolution.approvalOf(workspaceId, p.id)).files,
			devAvgDelta: pointsOrNull(p.avgDelta),
		})),
	);
}
