"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Dices, Play, Square } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button, DisabledReason } from "@/components/ui/button";
import { Textarea } from "@/components/ui/field";
import { langOf } from "@/components/ui/format";
import { Select } from "@/components/ui/select";
import type { FaultKindSchema, TryInput } from "@/server/agent/contract";

const KINDS: (typeof FaultKindSchema)["options"] = ["timeout", "malformed", "permission-denied", "empty", "stale"];

type Turn = TryInput["history"][number];

interface FormProps {
	invalid: boolean;
	busy: boolean;
	running: boolean;
	onRun: (input: {
		message: string;
		history: Turn[];
		room?: { base: string };
		faults: { handler: string; kind: (typeof KINDS)[number]; times: number }[];
	}) => void;
	onStop: () => void;
}

/** What a simulated viewer says, put into the form to be tried or changed. */
function DrawViewer({ onDraw }: { onDraw: (drawn: { message: string; history: Turn[]; room: string | null }) => void }) {
	const t = useTranslations("trajectory.try");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug: workspace } = useWorkspace();
	const draw = useMutation({
		mutationFn: () => queryClient.fetchQuery(trpc.agent.drawViewer.queryOptions({ workspace, seed: Math.floor(Math.random() * 2 ** 31) })),
		onSuccess: (drawn) => drawn && onDraw(drawn),
	});
	return (
		<Button variant="quiet" busy={draw.isPending} onClick={() => draw.mutate()}>
			<Dices className="size-3.5" aria-hidden />
			{t("draw")}
		</Button>
	);
}

/** The turns that stand before the message, and the way to leave them out. */
function Before({ history, onClear }: { history: readonly Turn[]; onClear: () => void }) {
	const t = useTranslations("trajectory.try");
	return (
		<div className="rounded-4 bg-sub px-2 py-1.5 text-12">
			<ul className="grid gap-0.5">
				{history.map(({ role, text }, index) => (
					// Turns have no identity but their place.
					// biome-ignore lint/suspicious/noArrayIndexKey: see above
					<li key={index} className="break-words">
						<span className="text-ink-3">{t(role === "viewer" ? "viewerSaid" : "agentSaid")} </span>
						<span lang={langOf(text)}>{text}</span>
					</li>
				))}
			</ul>
			<button type="button" className="link max-md:min-h-11" onClick={onClear}>
				{t("clearHistory")}
			</button>
		</div>
	);
}

/** What a viewer says, where, after which turns, and which fault is injected. */
export function TryForm({ invalid, busy, running, onRun, onStop }: FormProps) {
	const t = useTranslations("trajectory.try");
	const kinds = useTranslations("trajectory.faultKind");
	const trpc = useTRPC();
	const { slug: workspace } = useWorkspace();
	const scene = useQuery(trpc.agent.rooms.queryOptions({ workspace }));
	const [message, setMessage] = useState("");
	const [history, setHistory] = useState<Turn[]>([]);
	const [room, setRoom] = useState<string>();
	const [fault, setFault] = useState("");
	const rooms = scene.data?.rooms ?? [];
	const base = room ?? rooms[0]?.id;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (message.trim() === "" || invalid || busy || running) return;
		const [kind, handler] = fault.split(" ");
		const faults = kind && handler ? [{ handler, kind: kind as (typeof KINDS)[number], times: 1 }] : [];
		onRun({ message, history, ...(base === undefined ? {} : { room: { base } }), faults });
	};
	return (
		<form onSubmit={submit} className="flex flex-col gap-2 border-line border-b pb-3">
			{history.length > 0 && <Before history={history} onClear={() => setHistory([])} />}
			<Textarea
				aria-label={t("message")}
				placeholder={t("placeholder")}
				rows={2}
				maxLength={4000}
				lang={langOf(message)}
				value={message}
				onChange={(event) => setMessage(event.target.value)}
				onKeyDown={(event) => {
					// Enter tries, as in a chat; during composition (pinyin) it belongs to the input method.
					if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
				}}
			/>
			<div className="flex flex-wrap items-center gap-2">
				{rooms.length > 0 && (
					<Select
						label={t("room")}
						prefix
						value={base}
						onValueChange={setRoom}
						options={rooms.map(({ id, title }) => ({ value: id, label: <span lang={langOf(title)}>{title || id}</span> }))}
						className="max-w-56"
					/>
				)}
				<Select
					label={t("fault")}
					prefix
					value={fault}
					onValueChange={setFault}
					options={[
						{ value: "", label: t("noFault") },
						...(scene.data?.handlers ?? []).flatMap((handler) =>
							KINDS.map((kind) => ({ value: `${kind} ${handler}`, label: t("onTool", { kind: kinds(kind), handler }) })),
						),
					]}
					className="max-w-56"
				/>
				{scene.data?.viewers && (
					<DrawViewer
						onDraw={(drawn) => {
							setMessage(drawn.message);
							setHistory(drawn.history);
							if (drawn.room !== null) setRoom(drawn.room);
						}}
					/>
				)}
				<span className="ml-auto">
					{running ? (
						<Button onClick={onStop}>
							<Square className="size-3" aria-hidden />
							{t("stop")}
						</Button>
					) : (
						<Button type="submit" variant="solid" busy={busy} disabled={invalid || message.trim() === ""}>
							<Play className="size-3" aria-hidden />
							{t("run")}
						</Button>
					)}
				</span>
			</div>
			{invalid && <DisabledReason>{t("invalid")}</DisabledReason>}
		</form>
	);
}
