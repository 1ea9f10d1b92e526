import { spawn } from "node:child_process";
import os from "node:os";
import type { z } from "zod";
import { inheritEnvironment } from "@/server/kernel/env";
import { AppError } from "@/server/kernel/errors";
import { type AblationPart, type AblationResult, ANY_SEED, summariseAblation } from "@/server/training";
import type { Session } from "../session";
import { type CommandResult, points, progress } from "./output";
import type { AblationOptions } from "./read-options";

type Options = z.infer<typeof AblationOptions>;
/** What one process made, with the processor time that it took. */
interface Share extends AblationResult {
	cpuSeconds: number;
}

/** How long a part takes beside the others, so that the processes end at about the same time. */
const COST = { untrained: 1, fixed: 2, hat: 4 };
const nameOf = ({ seed, recipe }: AblationPart) => (recipe === "untrained" ? recipe : `${seed}:${recipe}`);

function readPart(text: string): AblationPart {
	const [seed = "", recipe] = text.split(":");
	return recipe === undefined ? { seed: ANY_SEED, recipe: "untrained" } : { seed: Number(seed), recipe: recipe as "hat" | "fixed" };
}

/** Every part of the table, dealt to processes: the longest first, each to whoever has least. */
function dealParts(seeds: number, jobs: number): AblationPart[][] {
	const recipes = (recipe: "hat" | "fixed") => Array.from({ length: seeds }, (_value, i): AblationPart => ({ seed: i + 1, recipe }));
	const parts: AblationPart[] = [...recipes("hat"), ...recipes("fixed"), { seed: ANY_SEED, recipe: "untrained" }];
	const hands = Array.from({ length: Math.min(jobs, parts.length) }, () => ({ parts: [] as AblationPart[], cost: 0 }));
	for (const part of parts) {
		const least = hands.reduce((best, hand) => (hand.cost < best.cost ? hand : best));
		least.parts.push(part);
		least.cost += COST[part.recipe];
	}
	return hands.map((hand) => hand.parts);
}

async function makeShare(session: Session, { workspace, harness, split, cases }: Options, parts: readonly AblationPart[]): Promise<Share> {
	const before = process.cpuUsage();
	const { id: workspaceId } = await session.workspace(workspace);
	const made = await session.services.training.ablate({
		...{ workspaceId, harness, parts, split, cases },
		signal: new AbortController().signal,
		onRow: ({ policy, seed, measured }) => {
			const mean = (values: readonly number[]) => points(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
			const { t1, t2, heldOut } = measured.rows;
			progress(`${seed === ANY_SEED ? "" : `seed ${seed} `}${policy}: T1 ${mean(t1)} T2 ${mean(t2)} held-out ${mean(heldOut)}`);
		},
	});
	const { user, system } = process.cpuUsage(before);
	return { ...made, cpuSeconds: (user + system) / 1e6 };
}

/** The same command in a process of its own, for some of the parts. */
async function startShare({ workspace, harness, split, cases }: Options, parts: readonly AblationPart[]): Promise<Share> {
	const named = [
		"--workspace",
		workspace,
		"--harness",
		harness,
		"--split",
		split,
		"--parts",
		parts.map(nameOf).join(","),
		...(cases ? ["--cases", String(cases)] : []),
	];
	const child = spawn(process.execPath, ["--max-semi-space-size=64", "--import", "tsx", "server/cli.ts", "hat-ablation", ...named, "--json"], {
		stdio: ["ignore", "pipe", "inherit"],
		env: inheritEnvironment({}),
	});
	const chunks: Buffer[] = [];
	child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
	const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
	const text = Buffer.concat(chunks).toString();
	if (code === 0) return JSON.parse(text) as Share;
	throw new AppError("unavailable", `A part of the ablation failed (${parts.map(nameOf).join(", ")}): ${text.slice(0, 500)}`, { reason: "ablation-part" });
}

/** `hat-ablation`: every recipe and stage over several seeds, in several processes, with what of the report's claims appears here. */
export async function hatAblation(session: Session, options: Options): Promise<CommandResult> {
	if (options.parts) return { document: await makeShare(session, options, options.parts.split(",").map(readPart)) };
	const startedMs = performance.now();
	const jobs = options.jobs ?? os.availableParallelism();
	// The sample workspace is made here, before several processes ask for it at once.
	await session.workspace(options.workspace);
	const shares = await Promise.all(dealParts(options.seeds, jobs).map((parts) => startShare(options, parts)));
	const [first] = shares;
	if (!first) throw new RangeError("There is at least one part.");
	const rows = shares.flatMap((share) => share.rows).sort((a, b) => a.seed - b.seed);
	const { groups, ...about } = first.about;
	return {
		document: {
			...about,
			seeds: options.seeds,
			split: options.split,
			seconds: { wall: Math.round((performance.now() - startedMs) / 1000), cpu: Math.round(shares.reduce((sum, share) => sum + share.cpuSeconds, 0)) },
			...summariseAblation(rows, groups),
		},
	};
}
