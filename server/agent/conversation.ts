import type { AgentMessage, Step, ToolCall, Trajectory } from "./contract";

/** A message and the index of the step that made it. */
export interface PlacedMessage {
	message: AgentMessage;
	step: number;
}

/**
 * The conversation that the policy saw, rebuilt from a trajectory. Skill bodies are not recorded: `skillBody` gives them
 * (from the harness of `treeId`), else the name stands for the text.
 */
export function conversationOf(trajectory: Trajectory, skillBody: (name: string) => string | null = () => null): PlacedMessage[] {
	const placed: PlacedMessage[] = trajectory.history.map((turn) => ({
		step: -1,
		message: turn.role === "viewer" ? { role: "user", content: turn.text } : { role: "assistant", content: turn.text, toolCalls: [] },
	}));
	const { steps } = trajectory;
	for (const [index, step] of steps.entries()) {
		const put = (message: AgentMessage) => placed.push({ message, step: index });
		if (step.type === "message") put({ role: "user", content: givenMessage(steps, step.text) });
		if (step.type === "hook" && step.outcome === "retry" && (step.event === "reply" || step.event === "input"))
			put({ role: "hook", content: step.message ?? "" });
		if (step.type !== "model") continue;
		const segment = steps.slice(index + 1, nextModel(steps, index));
		const reply = segment.find((candidate) => candidate.type === "reply");
		const { reasoning } = step;
		const content = reply?.type === "reply" ? reply.text : (step.content ?? "");
		put({ role: "assistant", content, toolCalls: step.toolCalls, ...(reasoning === null ? {} : { reasoning }) });
		for (const call of step.toolCalls) {
			const answer = answerOf(call, segment, skillBody);
			if (answer) put({ role: "tool", toolCallId: call.id, name: call.name, ...answer });
		}
	}
	return placed;
}

/** What the input hooks made of the viewer's message. */
function givenMessage(steps: readonly Step[], text: string): string {
	let given = text;
	for (const step of steps) {
		if (step.type === "model") break;
		if (step.type === "hook" && step.event === "input" && step.outcome === "replace" && typeof step.value === "string") given = step.value;
	}
	return given;
}

function nextModel(steps: readonly Step[], index: number): number {
	const next = steps.findIndex((step, at) => at > index && step.type === "model");
	return next < 0 ? steps.length : next;
}

function answerOf(call: ToolCall, segment: readonly Step[], skillBody: (name: string) => string | null): { content: string; isError: boolean } | null {
	let answer: { content: string; isError: boolean } | null = null;
	let replacedSkill: string | null = null;
	for (const step of segment) {
		if (!("callId" in step) || step.callId !== call.id) continue;
		if (step.type === "tool") answer = step.ok ? { content: JSON.stringify(step.result ?? null), isError: false } : errorAnswer(step.error ?? "");
		if (step.type === "skill")
			answer = step.ok ? { content: replacedSkill ?? skillBody(step.name) ?? `(skill ${step.name})`, isError: false } : errorAnswer(step.error ?? "");
		if (step.type !== "hook") continue;
		if (step.outcome === "retry") answer = errorAnswer(step.message ?? "");
		if (step.outcome === "replace" && step.event === "tool-result") answer = { content: JSON.stringify(step.value ?? null), isError: false };
		if (step.outcome === "replace" && step.event === "skill" && typeof step.value === "string") replacedSkill = step.value;
	}
	return answer;
}

const errorAnswer = (error: string) => ({ content: JSON.stringify({ error }), isError: true });
