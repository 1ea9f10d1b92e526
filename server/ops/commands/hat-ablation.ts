import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { z } from "zod";
import { meanPoints } from "@/server/evaluation";
import { inheritEnvironment } from "@/server/kernel/env";
import { AppError, messageOf } from "@/server/kernel/errors";
import { type AblationPart, type AblationShare, ANY_SEED, joinShares, nameOfPart, planParts } from "@/server/training";
import type { AblationDocument } from "@/server/training/contract";
import { SERVICE_ACTORS } from "@/server/workspace/contract";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";
import type { AblationOptions } from "./read-options";

type Options = z.infer<typeof AblationOptions>;
function readPart(text: string): AblationPart {
	const [seed = "", recipe = ""] = text.split(":");
	return { seed: Number(seed), recipe: recipe as AblationPart["recipe"] };
}

async function makeShare(session: Session, { workspace, harness, split, cases }: Options, part: AblationPart): Promise<AblationShare> {
	const before = process.cpuUsage();
	const { id: workspaceId } = await session.workspace(workspace);
	const made = await session.services.training.ablate({
		...{ workspaceId, harness, parts: [part], split, cases },
		signal: session.signal,
		onRow: ({ policy, seed, measured: { rows } }) =>
			progress(
				`${seed === ANY_SEED ? "" : `seed ${seed} `}${policy}: T1 ${meanPoints(rows.t1)} T2 ${meanPoints(rows.t2)} held-out ${meanPoints(rows.heldOut)}`,
			),
	});
	const { user, system } = process.cpuUsage(before);
	return { ...made, cpuSeconds: (user + system) / 1e6 };
}

/** The same command in a process of its own, for one part; a part that was kept is taken as it is. */
async function startShare({ workspace, harness, split, cases, keep }: Options, part: AblationPart, signal: AbortSignal): Promise<AblationShare> {
	const file = keep ? path.join(keep, `${nameOfPart(part).replace(":", "-")}.json`) : null;
	if (file && fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, "utf8")) as AblationShare;
	const named = ["--workspace", workspace, "--harness", harness, "--split", split, "--part", nameOfPart(part), ...(cases ? ["--cases", String(cases)] : [])];
	// A training makes many short-lived arrays: with a larger nursery they die young.
	const child = spawn(process.execPath, ["--max-semi-space-size=64", "--import", "tsx", "server/cli.ts", "hat-ablation", ...named, "--json"], {
		stdio: ["ignore", "pipe", "inherit"],
		env: inheritEnvironment({}),
		signal,
		killSignal: "SIGTERM",
	});
	child.on("error", () => undefined);
	const chunks: Buffer[] = [];
	child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
	const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
	const text = Buffer.concat(chunks).toString();
	if (code !== 0) throw new AppError("unavailable", `A part of the ablation failed (${nameOfPart(part)}): ${text.slice(0, 500)}`, { reason: "ablation-part" });
	if (file) {
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(`${file}.part`, text);
		fs.renameSync(`${file}.part`, file);
	}
	return JSON.parse(text) as AblationShare;
}

/** All parts, so many processes at once. */
async function startShares(options: Options, jobs: number): Promise<AblationShare[]> {
	const waiting = planParts(options.seeds);
	const shares: AblationShare[] = [];
	const stop = new AbortController();
	const work = async () => {
		for (let part = waiting.shift(); part; part = waiting.shift()) shares.push(await startShare(options, part, stop.signal));
	};
	try {
		await Promise.all(Array.from({ length: jobs }, work));
	} finally {
		// When one part fails, nobody waits for the others.
		stop.abort();
	}
	return shares;
}

/** The result stands on the workspace's page too. What was measured is printed whatever becomes of that. */
async function keepOnPage({ services }: Session, workspace: { id: string; slug: string }, document: AblationDocument): Promise<void> {
	try {
		const { number } = await services.training.ablations.store(workspace, document, "command", SERVICE_ACTORS.system.id);
		progress(`kept as A-${number}: Training → Ablation`);
	} catch (error) {
		progress(`not kept in the workspace: ${messageOf(error)}`);
	}
}

/** `hat-ablation`: every recipe and stage over several seeds, in several processes, with what of the report's claims appears here. */
export async function hatAblation(session: Session, options: Options): Promise<CommandResult> {
	if (options.part) return { document: await makeShare(session, options, readPart(options.part)) };
	const startedMs = performance.now();
	// The sample workspace is made here, before several processes ask for it at once.
	const workspace = await session.workspace(options.workspace);
	const shares = await startShares(options, options.jobs ?? os.availableParallelism());
	const { seeds, split } = options;
	const document = joinShares(shares, { workspace: workspace.slug, seeds, split, wallSeconds: (performance.now() - startedMs) / 1000 });
	await keepOnPage(session, workspace, document);
	return { document };
}
