import { createCallerFactory, router } from "./init";
import { agentRouter } from "./routers/agent";
import { augmentationRouter } from "./routers/augmentation";
import { authRouter } from "./routers/auth";
import { casesRouter } from "./routers/cases";
import { evaluationRouter } from "./routers/evaluation";
import { evolutionRouter } from "./routers/evolution";
import { harnessRouter } from "./routers/harness";
import { modelsRouter } from "./routers/models";
import { policiesRouter } from "./routers/policies";
import { releaseRouter } from "./routers/release";
import { settingsRouter } from "./routers/settings";
import { trainingRouter } from "./routers/training";
import { triggersRouter } from "./routers/triggers";
import { workspaceRouter } from "./routers/workspace";

/** Assembly only: one router a domain, one procedure a file. */
export const appRouter = router({
	agent: agentRouter,
	augmentation: augmentationRouter,
	auth: authRouter,
	cases: casesRouter,
	evaluation: evaluationRouter,
	evolution: evolutionRouter,
	harness: harnessRouter,
	models: modelsRouter,
	policies: policiesRouter,
	release: releaseRouter,
	settings: settingsRouter,
	training: trainingRouter,
	triggers: triggersRouter,
	workspace: workspaceRouter,
});

export type AppRouter = typeof appRouter;
export const createCaller = createCallerFactory(appRouter);
