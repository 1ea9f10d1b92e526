import fs from "node:fs";
import path from "node:path";
import { readCheckpoint, writeCheckpoint } from "@/server/compact";
import { pretrain, readGeneralData } from "@/server/training";
import { type CommandResult, progress } from "./output";

export interface PretrainArguments {
	data: string;
	seed: number;
	out?: string | undefined;
}

/** `pretrain`: the base checkpoint from a seed and a folder of general data; prints the general measure beside the scorer by overlap alone. */
export function pretrainBase({ data, seed, out }: PretrainArguments): CommandResult {
	progress("reading general data …");
	const general = readGeneralData(path.resolve(data));
	progress(`training on ${general.items.length} requests …`);
	const { parameters, picked, curve, report, counts } = pretrain(general, seed);
	const bytes = writeCheckpoint(parameters, { recipe: "pretrain", seed, picked, counts, report });
	if (out !== undefined) {
		const temporary = `${out}.${process.pid}.tmp`;
		fs.writeFileSync(temporary, bytes);
		fs.renameSync(temporary, out);
	}
	return { document: { file: out ?? null, bytes: bytes.length, digest: readCheckpoint(bytes).digest, seed, picked, curve, report, counts } };
}
