import type { TrainingProgress, TrainingRecord } from "./contract";
import type { TrainingPorts } from "./ports";
import * as repository from "./training.repository";
import { trainingKey } from "./training-key";

/** Records are written about once a second, and with every saved state. */
const WRITE_EVERY_MS = 1000;

/** Writes what a training tells, and stops it when a person did. */
export class TrainingJournal {
	private waiting: TrainingRecord[] = [];
	private writtenAt = 0;
	private readonly stop = new AbortController();
	/** Aborts with the worker, or when the training was cancelled. */
	readonly signal: AbortSignal;

	constructor(
		private readonly ports: TrainingPorts,
		private readonly id: string,
		public position: number,
		private progress: TrainingProgress,
		signal: AbortSignal,
	) {
		this.signal = AbortSignal.any([signal, this.stop.signal]);
	}

	async add(record: TrainingRecord): Promise<void> {
		this.waiting.push(record);
		await this.writeNowAndThen();
	}

	/** What is new of the progress; written at once where somebody waits for it. */
	async note(news: Partial<TrainingProgress>, atOnce = false): Promise<void> {
		this.progress = { ...this.progress, ...news };
		await (atOnce ? this.write() : this.writeNowAndThen());
	}

	private async writeNowAndThen(): Promise<void> {
		if (Date.now() - this.writtenAt > WRITE_EVERY_MS) await this.write();
	}

	async write(): Promise<void> {
		this.writtenAt = Date.now();
		if (!(await repository.noteProgress(this.ports.db, this.id, this.progress))) {
			this.stop.abort();
			return;
		}
		if (this.waiting.length > 0) await repository.writePoints(this.ports.db, this.id, this.position, this.waiting);
		this.position += this.waiting.length;
		this.waiting = [];
		await this.ports.publish(trainingKey(this.id));
	}
}
