import { z } from "zod";
import { createJobQueue } from "../create-job-queue";

/** A worker that takes a job and never ends it: the test kills this process. */
const [url = "", name = ""] = process.argv.slice(2);
await createJobQueue(url).work({ name, schema: z.object({ id: z.string() }), concurrency: 1, retryLimit: 3 }, async () => {
	process.stdout.write("started\n");
	await new Promise(() => setInterval(() => undefined, 1_000));
});
