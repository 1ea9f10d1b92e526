import { workspaceProcedure } from "../../init";

/** What a run can be started with: suites, branches and policies; and what would be taken without a choice. */
export const startOptions = workspaceProcedure("workspace.read").query(async ({ ctx }) => {
	const { evaluation, policies, judges, harness } = ctx.services;
	const [suites, versions, policy, judge, repository] = await Promise.all([
		evaluation.listSuites(ctx.workspace.id),
		policies.list(ctx.workspace.id),
		policies.current(ctx.workspace.id),
		judges.current(ctx.workspace.id),
		harness.repository(ctx.workspace.id).catch(() => null),
	]);
	const branches = repository ? (await repository.branches()).map((branch) => (typeof branch === "string" ? branch : branch.name)) : [];
	return {
		suites,
		branches,
		policies: [policy, ...versions.filter((version) => version.id !== policy.id)].map(({ id, name, kind }) => ({ id, name, kind })),
		judge: { id: judge.id, name: judge.name, engine: judge.engine },
	};
});
