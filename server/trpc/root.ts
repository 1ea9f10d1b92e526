import { createCallerFactory, router } from "./init";
import { authRouter } from "./routers/auth";

/** Assembly only: one router a domain, one procedure a file. */
export const appRouter = router({
	auth: authRouter,
});

export type AppRouter = typeof appRouter;
export const createCaller = createCallerFactory(appRouter);
