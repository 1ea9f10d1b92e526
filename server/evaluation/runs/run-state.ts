import { AppError } from "@/server/kernel/errors";
import type { RunStatus } from "../contract";

export type RunCommand = "cancel" | "resume" | "retry-errors";

/** The status after a person's command; null when there is nothing to do. Throws `conflict` when the command makes no sense now. */
export function nextStatus(command: RunCommand, run: { status: RunStatus; unfinished: number; infraErrors: number }): RunStatus | null {
	const { status } = run;
	const refuse = (message: string, reason: string): never => {
		throw new AppError("conflict", message, { reason, params: { status } });
	};
	switch (command) {
		case "cancel":
			if (status === "queued" || status === "running") return "cancelling";
			if (status === "cancelling" || status === "cancelled") return null;
			return refuse("The run is over: there is nothing to cancel.", "run-not-cancellable");
		case "resume":
			if (status === "cancelled" || status === "failed") return "queued";
			if (status === "queued" || status === "running") return null;
			return refuse(status === "cancelling" ? "The run is still being cancelled." : "The run is complete: there is nothing to resume.", "run-not-resumable");
		case "retry-errors":
			if (status !== "done" && status !== "cancelled" && status !== "failed") return refuse("The run is not over yet.", "run-not-over");
			if (run.infraErrors === 0 && run.unfinished === 0) return refuse("No episode of this run ended in an infrastructure error.", "run-no-errors");
			return "queued";
	}
}
