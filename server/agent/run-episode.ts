import { LOAD_SKILL_TOOL } from "@/server/harness";
import type { Harness, HookEvent, Room } from "@/server/harness/contract";
import { AppError, messageOf } from "@/server/kernel/errors";
import { newId } from "@/server/kernel/id";
import { logger } from "@/server/kernel/logger";
import { callTool, type ToolContext } from "./call-tool";
import { type CompiledHarness, compileHarness, renderFor } from "./compile-harness";
import type { AgentMessage, Fault, Outcome, Policy, PolicyRequest, PolicyStep, Step, ToolCall, Trajectory, Turn } from "./contract";
import { Deadline } from "./deadline";
import { EpisodeLog } from "./episode-log";
import { FaultPlan } from "./inject-fault";
import type { AgentDependencies } from "./ports";
import { type HookContext, isPlainObject, runHooks } from "./run-hooks";

/** Calls that one model step may make; more are answered with an error. */
const MAX_CALLS_PER_STEP = 16;
const INFRASTRUCTURE = new Set(["upstream", "rate-limited", "timeout", "unavailable"]);

export interface EpisodeInput {
	harness: Harness;
	policy: Policy;
	room: Room;
	message: string;
	history?: readonly Turn[];
	faults?: readonly Fault[];
	seed: number;
	/** The harness's own deadline unless given. */
	deadlineMs?: number;
	signal?: AbortSignal;
	/** Called with every step as it is recorded. */
	onStep?: (step: Step) => void;
}

interface Ending {
	outcome: Outcome;
	reply: string | null;
	error?: string;
}

/**
 * Runs the agent on one message to its end: replied, blocked by a hook, out of time or steps (`deadline`), or
 * `infra-error` (the policy's endpoint failed; such an episode is never scored). Deterministic for a deterministic policy
 * and a seed. Throws AppError `cancelled` when `signal` aborts, `precondition` when the harness cannot be rendered in the room.
 */
export async function runEpisode(dependencies: AgentDependencies, input: EpisodeInput): Promise<Trajectory> {
	const episode = new Episode(dependencies, input);
	try {
		return await episode.run();
	} finally {
		episode.close();
	}
}

class Episode {
	private readonly compiled: CompiledHarness;
	private readonly log: EpisodeLog;
	private readonly hooks: HookContext;
	private readonly tools: ToolContext;
	private readonly request: Omit<PolicyRequest, "deadlineMs">;
	private readonly messages: AgentMessage[];
	private readonly stop = new AbortController();
	private readonly deadline: Deadline;
	private readonly scope = newId("ep");
	private reminded = false;
	private readonly onAbort = () => this.stop.abort("cancelled");

	constructor(
		private readonly dependencies: AgentDependencies,
		private readonly input: EpisodeInput,
	) {
		const { harness, room, seed } = input;
		this.compiled = compileHarness(harness);
		const { rendered, tools, prompts } = renderFor(this.compiled, room);
		this.log = new EpisodeLog(dependencies.monotonicMs ?? (() => performance.now()), input.onStep);
		const history = [...(input.history ?? [])];
		const { maxHookRetries: most } = harness.limits;
		this.hooks = {
			sandbox: dependencies.sandbox,
			log: this.log,
			scope: this.scope,
			seed,
			nowMs: Date.parse(room.now),
			shared: { room, constraints: rendered.constraints, ...(history.length > 0 ? { history } : {}) },
			retriesLeft: { input: most, skill: most, "tool-call": most, "tool-result": most, reply: most } satisfies Record<HookEvent, number>,
		};
		this.messages = history.map((turn) =>
			turn.role === "viewer" ? { role: "user", content: turn.text } : { role: "assistant", content: turn.text, toolCalls: [] },
		);
		this.request = {
			systemPrompt: rendered.systemPrompt,
			tools,
			messages: this.messages,
			view: {
				constraints: rendered.constraints,
				promptBlocks: prompts,
				skillIndex: rendered.skillIndex,
				loadedSkills: [],
				tools: rendered.tools,
				requireReplySkill: harness.requireReplySkill,
			},
			seed,
		};
		const faults = new FaultPlan(input.faults ?? []);
		this.tools = { compiled: this.compiled, tools: dependencies.tools, room, faults, log: this.log, hooks: this.hooks, signal: this.stop.signal };
		this.deadline = new Deadline(this.log, input.deadlineMs ?? harness.limits.deadlineMs, this.stop);
		if (input.signal?.aborted) this.onAbort();
		input.signal?.addEventListener("abort", this.onAbort, { once: true });
	}

	close(): void {
		this.deadline.close();
		this.input.signal?.removeEventListener("abort", this.onAbort);
		this.dependencies.sandbox.release(this.scope);
	}

	async run(): Promise<Trajectory> {
		let ending: Ending;
		try {
			ending = await this.converse();
		} catch (error) {
			ending = this.endingOf(error);
		}
		const { harness, policy, seed, message, history } = this.input;
		return {
			version: 1,
			treeId: harness.treeId,
			policy: policy.describe().name,
			seed,
			message,
			history: [...(history ?? [])],
			steps: this.log.steps,
			outcome: ending.outcome,
			reply: ending.reply,
			...(ending.error === undefined ? {} : { error: ending.error }),
			durationMs: Math.round(this.log.elapsedMs() * 100) / 100,
		};
	}

	/** What a failure of the policy means for the episode. */
	private endingOf(error: unknown): Ending {
		if (this.stop.signal.aborted) {
			if (this.stop.signal.reason === "cancelled") throw new AppError("cancelled", "The episode was cancelled.", { cause: error });
			return this.outOfTime(`The deadline of ${this.deadline.ms} ms passed.`);
		}
		const known = error instanceof AppError ? error : null;
		if (known && !INFRASTRUCTURE.has(known.code)) throw known;
		if (!known) logger.error({ err: error }, "the policy threw what is not an AppError");
		const code = known?.code ?? "internal";
		const message = known?.message ?? `The policy failed: ${messageOf(error).slice(0, 300)}`;
		this.log.add({ type: "error", code, message, ...(known ? { reason: known.reason, params: known.params } : {}) });
		return { outcome: "infra-error", reply: null, error: message };
	}

	private outOfTime(error: string): Ending {
		this.log.add({ type: "error", code: "deadline", message: error });
		return { outcome: "deadline", reply: null, error };
	}

	private async converse(): Promise<Ending> {
		const { message, harness } = this.input;
		this.log.add({ type: "message", text: message });
		const given = await runHooks(this.hooks, "input", this.compiled.hooks.input, message, {});
		if (given.kind === "block") return { outcome: "blocked", reply: given.fallback, error: `${given.hook}: ${given.reason}` };
		this.messages.push({ role: "user", content: given.kind === "pass" ? String(given.value) : message });
		if (given.kind === "retry") this.messages.push({ role: "hook", content: given.message });

		for (let step = 0; step < harness.limits.maxSteps; step++) {
			const answer = await this.act();
			const ending = answer.toolCalls.length > 0 ? await this.callTools(answer) : await this.consider(answer.content ?? "");
			if (ending) return ending;
		}
		return this.outOfTime(`The limit of ${harness.limits.maxSteps} steps was reached without a reply.`);
	}

	/** One model step. */
	private async act(): Promise<PolicyStep> {
		const remainingMs = this.deadline.remainingMs();
		// Time that an injected fault used up never makes the timer fire.
		if (remainingMs <= 0) this.stop.abort("deadline");
		this.stop.signal.throwIfAborted();
		const sinceMs = this.log.elapsedMs();
		const request: PolicyRequest = { ...this.request, messages: [...this.messages], deadlineMs: remainingMs, onWait: this.deadline.onWait };
		const step = await untilAborted(this.input.policy.act(request, this.stop.signal), this.stop.signal);
		const { content, reasoning, toolCalls, usage, cached, requestHash, finishReason, decisions } = step;
		this.log.add(
			{
				type: "model",
				purpose: toolCalls.length > 0 ? "tool" : "reply",
				...{ requestHash, cached, usage, content, reasoning, toolCalls, finishReason },
				...(decisions ? { decisions } : {}),
			},
			sinceMs,
		);
		return step;
	}

	private async callTools(step: PolicyStep): Promise<Ending | null> {
		// Reasoning stays in the trajectory: it is not sent back.
		this.messages.push({ role: "assistant", content: step.content ?? "", toolCalls: step.toolCalls });
		for (const [index, call] of step.toolCalls.entries()) {
			const answer =
				index >= MAX_CALLS_PER_STEP
					? ({ kind: "result", content: JSON.stringify({ error: "Too many calls in one step." }), isError: true } as const)
					: call.name === LOAD_SKILL_TOOL && this.compiled.loadSkillTool
						? await this.loadSkill(call)
						: await callTool(this.tools, call);
			if (answer.kind === "block") return { outcome: "blocked", reply: answer.fallback, error: `${answer.hook}: ${answer.reason}` };
			this.messages.push({ role: "tool", toolCallId: call.id, name: call.name, content: answer.content, isError: answer.isError });
		}
		return null;
	}

	private async loadSkill(call: ToolCall): Promise<Awaited<ReturnType<typeof callTool>>> {
		const sinceMs = this.log.elapsedMs();
		const name = isPlainObject(call.arguments) && typeof call.arguments.name === "string" ? call.arguments.name : "";
		const skill = this.compiled.skills.get(name);
		const failed = (error: string) => {
			this.log.add({ type: "skill", callId: call.id, name: name.slice(0, 128), ok: false, error }, sinceMs);
			return { kind: "result", content: JSON.stringify({ error }), isError: true } as const;
		};
		if (!skill) return failed(call.invalid ?? `There is no skill “${name.slice(0, 128)}”. There are: ${[...this.compiled.skills.keys()].join(", ")}.`);
		const { description, type } = skill;
		const verdict = await runHooks(
			this.hooks,
			"skill",
			this.compiled.hooks.skill,
			skill.body,
			{ skill: { name, description, type } },
			{ target: name, callId: call.id },
		);
		if (verdict.kind === "block") return verdict;
		if (verdict.kind === "retry") return failed(verdict.message);
		const body = String(verdict.value);
		const loaded = this.request.view.loadedSkills;
		const before = loaded.find((entry) => entry.name === name);
		if (before) before.body = body;
		else loaded.push({ name, body });
		this.log.add({ type: "skill", callId: call.id, name, ok: true }, sinceMs);
		return { kind: "result", content: body, isError: false };
	}

	/** A reply that the model offers: accepted, sent back with a message, or blocked. */
	private async consider(reply: string): Promise<Ending | null> {
		const own = this.ownObjection(reply);
		if (own) return this.sendBack(reply, own.hook, own.message);
		const verdict = await runHooks(this.hooks, "reply", this.compiled.hooks.reply, reply, { message: this.input.message });
		if (verdict.kind === "block") return { outcome: "blocked", reply: verdict.fallback, error: `${verdict.hook}: ${verdict.reason}` };
		if (verdict.kind === "retry") return this.sendBack(reply, verdict.hook, verdict.message, false);
		const text = String(verdict.value);
		this.log.add({ type: "reply", text });
		return { outcome: "replied", reply: text };
	}

	/** What the studio itself asks of a reply: that it says something, and that a reply skill was loaded (one reminder). */
	private ownObjection(reply: string): { hook: string; message: string } | null {
		if (reply.trim() === "" && this.hooks.retriesLeft.reply > 0) {
			this.hooks.retriesLeft.reply -= 1;
			return { hook: "studio:reply-not-empty", message: "The reply is empty. Answer the viewer." };
		}
		if (!this.input.harness.requireReplySkill || !this.compiled.hasReplySkills || this.reminded) return null;
		const loaded = this.request.view.loadedSkills.some((entry) => this.compiled.skills.get(entry.name)?.type === "reply");
		if (loaded) return null;
		this.reminded = true;
		return { hook: "studio:reply-skill", message: `Load a reply skill with ${LOAD_SKILL_TOOL} before you reply.` };
	}

	private sendBack(reply: string, hook: string, message: string, record = true): null {
		if (record) this.log.add({ type: "hook", hook, event: "reply", outcome: "retry", message });
		this.log.add({
			type: "retry",
			reason: `hook:${hook}`,
			attempt: this.log.steps.filter((step) => step.type === "retry" && step.reason.startsWith("hook:")).length + 1,
		});
		this.messages.push({ role: "assistant", content: reply, toolCalls: [] }, { role: "hook", content: message });
		return null;
	}
}

/** The promise, or a rejection as soon as the signal aborts: a policy that ignores its signal cannot hold an episode. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const onAbort = () => reject(new AppError("cancelled", "The episode ended."));
		signal.addEventListener("abort", onAbort, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
	});
}
