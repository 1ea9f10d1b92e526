import { createDatabase } from "@/server/db/client";
import { createEvaluationService } from "../create-evaluation-service";
import { fakePorts } from "./fake-ports";

/** A worker process for the tests that kill it. Says when it started and how many episodes it began. */
const [url = "", delayMs = "50", concurrency = "4"] = process.argv.slice(2);
const service = createEvaluationService(createDatabase(url, 3), fakePorts({ delayMs: Number(delayMs), onEpisode: () => process.stdout.write("e") }));
process.stdout.write("ready\n");
await service.work(new AbortController().signal, { concurrency: Number(concurrency) });
