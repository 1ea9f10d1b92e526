import type { z } from "zod";

/** A kind of job, declared once for producer and worker. Payloads carry ids only: the row owns the truth. */
export interface JobDefinition<T> {
	name: string;
	schema: z.ZodType<T>;
	/** How many of these one worker runs at once. */
	concurrency: number;
	retryLimit: number;
}

/** The queue over PostgreSQL; knows no domain. Handlers are idempotent and can be killed at any line. */
export interface JobQueue {
	send<T>(definition: JobDefinition<T>, payload: T, options?: { singletonKey?: string; startAfterMs?: number }): Promise<void>;
	work<T>(definition: JobDefinition<T>, handler: (payload: T, signal: AbortSignal) => Promise<void>): Promise<void>;
	stop(): Promise<void>;
}
