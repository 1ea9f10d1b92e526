import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { z } from "zod";
import { inheritEnvironment } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { type AblationPart, type AblationResult, ANY_SEED, summariseAblation } from "@/server/training";
import type { Session } from "../session";
import { type CommandResult, meanPoints, progress } from "./output";
import type { AblationOptions } from "./read-options";

type Options = z.infer<typeof AblationOptions>;
/** What one process made, with the processor time that it took. */
interface Share extends AblationResult {
	cpuSeconds: number;
}

const nameOf = ({ seed, recipe }: AblationPart) => `${seed}:${recipe}`;

function readPart(text: string): AblationPart {
	const [seed = "", recipe = ""] = text.split(":");
	return { seed: Number(seed), recipe: recipe as AblationPart["recipe"] };
}

/** Every part of the table, a whole seed after the other: what is there when a run is stopped can be read. */
function listParts(seeds: number): AblationPart[] {
	const all = Array.from({ length: seeds }, (_value, i) => i + 1);
	const of = (seed: number, ...recipes: AblationPart["recipe"][]) => recipes.map((recipe): AblationPart => ({ seed, recipe }));
	const main = all.flatMap((seed) => of(seed, "hat", "fixed"));
	return [...main.slice(0, 2), ...of(ANY_SEED, "untrained"), ...main.slice(2), ...all.flatMap((seed) => of(seed, "hat-other", "fixed-other"))];
}

async function makeShare(session: Session, { workspace, harness, split, cases }: Options, part: AblationPart): Promise<Share> {
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
async function startShare({ workspace, harness, split, cases, keep }: Options, part: AblationPart, signal: AbortSignal): Promise<Share> {
	const file = keep ? path.join(keep, `${nameOf(part).replace(":", "-")}.json`) : null;
	if (file && fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, "utf8")) as Share;
	const named = ["--workspace", workspace, "--harness", harness, "--split", split, "--part", nameOf(part), ...(cases ? ["--cases", String(cases)] : [])];
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
	if (code !== 0) throw new AppError("unavailable", `A part of the ablation failed (${nameOf(part)}): ${text.slice(0, 500)}`, { reason: "ablation-part" });
	if (file) {
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(`${file}.part`, text);
		fs.renameSync(`${file}.part`, file);
	}
	return JSON.parse(text) as Share;
}

/** All parts, so many processes at once. */
async function startShares(options: Options, jobs: number): Promise<Share[]> {
	const waiting = listParts(options.seeds);
	const shares: Share[] = [];
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

/** Throws `bad-input` when kept parts are about something else than the others. */
function requireSame(shares: readonly Share[]): Share["about"] {
	const [first, ...rest] = shares.map((share) => JSON.stringify(share.about));
	if (first === undefined || rest.some((about) => about !== first))
		throw new AppError("bad-input", "The parts that were kept are about another harness, envelope or other cases.", {
			reason: "ablation-part",
			fix: "Give another folder to --keep.",
		});
	return JSON.parse(first) as Share["about"];
}

/** `hat-ablation`: every recipe and stage over several seeds, in several processes, with what of the report's claims appears here. */
export async function hatAblation(session: Session, options: Options): Promise<CommandResult> {
	if (options.part) return { document: await makeShare(session, options, readPart(options.part)) };
	const startedMs = performance.now();
	// The sample workspace is made here, before several processes ask for it at once.
	await session.workspace(options.workspace);
	const shares = await startShares(options, options.jobs ?? os.availableParallelism());
	const { groups, ...about } = requireSame(shares);
	const rows = shares.flatMap((share) => share.rows).sort((a, b) => a.seed - b.seed);
	return {
		document: {
			...about,
			workspace: options.workspace,
			seeds: options.seeds,
			split: options.split,
			seconds: { wall: Math.round((performance.now() - startedMs) / 1000), cpu: Math.round(shares.reduce((sum, share) => sum + share.cpuSeconds, 0)) },
			...summariseAblation(rows, groups),
		},
	};
}
