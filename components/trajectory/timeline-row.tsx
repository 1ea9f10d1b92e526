import { Ban, BookOpen, Check, CircleAlert, type LucideIcon, MessageCircle, Sparkles, Webhook, Wrench, Zap } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useStoredReasons } from "@/components/trpc/reasons";
import { cn } from "@/components/ui/cn";
import { formatCount, formatDuration, langOf } from "@/components/ui/format";
import type { Step } from "@/server/agent/contract";
import type { Evidence } from "@/server/judge/contract";
import { MarkedReply } from "./marked-reply";
import { previewValue, type TimelineRow } from "./timeline-rows";

export type BarTone = "model" | "plain" | "retry" | "fault" | "live";

const BAR: Record<BarTone, string> = {
	model: "bg-accent-mark",
	plain: "bg-line-ctl",
	retry: "bg-unsure",
	fault: "shadow-[inset_0_0_0_1px_var(--ink-2)] [background:repeating-linear-gradient(135deg,var(--ink-2)_0_1px,transparent_1px_4px)]",
	live: "bg-accent-mark opacity-45",
};

/** One line: icon, what happened, when and how long, and below what was said or returned. */
export function RowFrame(props: {
	icon: LucideIcon;
	title: ReactNode;
	note?: ReactNode;
	bar: BarTone;
	atMs: number;
	durationMs: number;
	axisMs: number;
	/** The time at the right, where it is not the bar's length. */
	timeMs?: number;
	children?: ReactNode;
}) {
	const locale = useLocale();
	const { icon: Icon, title, note, bar, atMs, durationMs, axisMs, timeMs = durationMs, children } = props;
	const share = (ms: number) => `${Math.min(100, Math.max(0, (ms / axisMs) * 100))}%`;
	return (
		<li className="grid grid-cols-[16px_minmax(0,1fr)_104px_52px] items-start gap-x-2 border-line border-t py-[5px] text-12 first:border-t-0 max-md:grid-cols-[16px_minmax(0,1fr)_52px]">
			<Icon className="mt-0.5 size-3.5 text-ink-3" aria-hidden />
			<div className="min-w-0 truncate">
				<b className="font-semibold">{title}</b> <span className="text-ink-2">{note}</span>
			</div>
			<div aria-hidden className="relative h-[18px] max-md:hidden">
				<i
					className={cn("absolute top-[5px] block h-2 min-w-[2px] rounded-[1px]", BAR[bar])}
					style={{ left: `min(${share(atMs)}, calc(100% - 2px))`, width: share(durationMs) }}
				/>
			</div>
			<span className="text-right text-11 text-ink-3 leading-[18px]">{formatDuration(timeMs, locale)}</span>
			{children && <div className="col-start-2 -col-end-1 min-w-0 text-ink-2">{children}</div>}
		</li>
	);
}

const SAID = "py-0.5 text-14 leading-6 text-ink";

function Said({ text, quiet, evidence }: { text: string; quiet?: boolean; evidence?: readonly Evidence[] }) {
	return <MarkedReply text={text} evidence={evidence} className={cn(SAID, quiet && "text-ink-2")} />;
}

/** A value in one line that opens to the whole of it. */
function Value({ label, value }: { label: string; value: unknown }) {
	const text = JSON.stringify(value, null, 2) ?? "";
	const preview = previewValue(value);
	if (text.length < 60)
		return preview === "" ? null : (
			<code className="break-words font-mono" lang={langOf(preview)}>
				{preview}
			</code>
		);
	return (
		<details className="group">
			<summary className="cursor-pointer list-none truncate font-mono group-open:text-ink-3" title={label} lang={langOf(preview)}>
				{preview}
			</summary>
			<pre className="mt-1 max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-4 bg-sub p-2 font-mono text-ink" lang={langOf(text)}>
				{text}
			</pre>
		</details>
	);
}

interface RowProps {
	row: TimelineRow;
	axisMs: number;
	/** Evidence to underline in the reply that went out. */
	evidence?: readonly Evidence[];
	/** The last thing the model said is the reply: it is marked there, not twice. */
	finalReply: string | null;
	maxHookRetries?: number;
	deadlineMs?: number;
}

export function TimelineLine({ row, ...rest }: RowProps) {
	if (row.kind === "step") return <StepLine {...rest} row={row} step={row.step} />;
	return <HookLine {...rest} row={row} />;
}

function HookLine({ row, axisMs, maxHookRetries }: Omit<RowProps, "row"> & { row: Exclude<TimelineRow, { kind: "step" }> }) {
	const t = useTranslations("trajectory");
	const frame = { icon: Webhook, atMs: row.atMs, durationMs: row.durationMs, axisMs };
	if (row.kind === "hooks") {
		const [only] = row.hooks;
		const title = row.hooks.length === 1 && only ? only.hook : t("hooks", { count: row.hooks.length, event: t(`event.${row.event}`) });
		return (
			<RowFrame
				{...frame}
				title={<span title={row.hooks.map((hook) => hook.hook).join(", ")}>{title}</span>}
				note={<span className="text-up">{t("outcome.pass")}</span>}
				bar="plain"
			/>
		);
	}
	const { step } = row;
	const tone = step.outcome === "retry" ? "text-unsure" : step.outcome === "replace" ? "text-ink-2" : "text-down";
	const word =
		step.outcome === "retry"
			? maxHookRetries === undefined
				? t("outcome.retry")
				: t("outcome.retryOf", { n: row.retry ?? 1, max: maxHookRetries })
			: step.outcome === "hook-error"
				? t("outcome.error", { kind: t.has(`errorKind.${step.errorKind}`) ? t(`errorKind.${step.errorKind}`) : (step.errorKind ?? "") })
				: t(`outcome.${step.outcome}`);
	return (
		<RowFrame {...frame} title={step.hook} note={<span className={tone}>{word}</span>} bar={step.outcome === "replace" ? "plain" : "retry"}>
			{step.message && <span lang={langOf(step.message)}>{step.message}</span>}
			{step.outcome === "replace" && <Value label={t("value")} value={step.value} />}
		</RowFrame>
	);
}

type Plain = Extract<TimelineRow, { kind: "step" }>["step"];

function StepLine({ step, axisMs, evidence, finalReply, deadlineMs, row }: RowProps & { step: Plain }) {
	const locale = useLocale();
	const t = useTranslations("trajectory");
	const frame = { atMs: row.atMs, durationMs: row.durationMs, axisMs };
	switch (step.type) {
		case "message":
			return (
				<RowFrame {...frame} icon={MessageCircle} title={t("viewer")} bar="plain">
					<Said text={step.text} />
				</RowFrame>
			);
		case "model":
			return (
				<RowFrame {...frame} icon={Sparkles} title={t("model")} note={<ModelNote step={step} />} bar="model">
					{step.toolCalls.length > 0 && <Calls calls={step.toolCalls} />}
					{step.content && <Said text={step.content} quiet={step.content !== finalReply} evidence={step.content === finalReply ? evidence : undefined} />}
					{step.reasoning && (
						<details className="mt-0.5">
							<summary className="cursor-pointer text-ink-3">{t("reasoning")}</summary>
							<p className="whitespace-pre-wrap break-words" lang={langOf(step.reasoning)}>
								{step.reasoning}
							</p>
						</details>
					)}
				</RowFrame>
			);
		case "skill":
			return (
				<RowFrame {...frame} icon={BookOpen} title={step.name} note={<Ok ok={step.ok} words={t(step.ok ? "skillLoaded" : "failed")} />} bar="plain">
					{step.error && <span className="text-down">{step.error}</span>}
				</RowFrame>
			);
		case "tool":
			return <ToolLine frame={frame} step={step} />;
		case "reply":
			return (
				<RowFrame
					{...frame}
					icon={Check}
					title={t("replied")}
					note={deadlineMs === undefined ? null : t("toSpare", { time: formatDuration(Math.max(0, deadlineMs - step.atMs), locale) })}
					bar="plain"
					timeMs={step.atMs}
				/>
			);
		case "error":
			return (
				<RowFrame {...frame} icon={step.code === "deadline" ? Ban : CircleAlert} title={t(step.code === "deadline" ? "deadline" : "infraError")} bar="retry">
					<StepError step={step} />
				</RowFrame>
			);
	}
}

/** What went wrong, in the reader's language where the studio knows the reason. */
function StepError({ step }: { step: Extract<Step, { type: "error" }> }) {
	const text = useStoredReasons()(step.reason === undefined ? [] : [{ reason: step.reason, params: step.params }], step.message) ?? "";
	return (
		<span className="text-down" lang={langOf(text)}>
			{text}
		</span>
	);
}

function ModelNote({ step }: { step: Extract<Step, { type: "model" }> }) {
	const t = useTranslations("trajectory");
	const { prompt, completion, reasoning } = step.usage;
	return (
		<>
			{t("tokens", { prompt: formatCount(prompt), completion: formatCount(completion) })}
			{reasoning > 0 && <span className="text-ink-3"> {t("reasoningTokens", { count: formatCount(reasoning) })}</span>}
			{step.cached && <span className="text-ink-3"> {t("cached")}</span>}
		</>
	);
}

/** What the model asked for, in words: "load_skill price, then find_book". */
function Calls({ calls }: { calls: Extract<Step, { type: "model" }>["toolCalls"] }) {
	const t = useTranslations("trajectory");
	return (
		<>
			{calls.map((call, index) => {
				const args = call.arguments as { name?: unknown } | null | undefined;
				return (
					<span key={call.id}>
						{index > 0 && t("then")}
						{call.name === "load_skill" ? (
							<>
								load_skill <b className="font-semibold">{String(args?.name ?? "")}</b>
							</>
						) : (
							<>
								{call.name} <code className="break-words font-mono text-ink-3">{previewValue(call.arguments, 80)}</code>
							</>
						)}
					</span>
				);
			})}
		</>
	);
}

function Ok({ ok, words }: { ok: boolean; words: string }) {
	return <span className={ok ? "text-up" : "text-down"}>{words}</span>;
}

function ToolLine({ step, frame }: { step: Extract<Step, { type: "tool" }>; frame: { atMs: number; durationMs: number; axisMs: number } }) {
	const t = useTranslations("trajectory");
	return (
		<RowFrame
			{...frame}
			icon={Wrench}
			title={step.name}
			note={
				<>
					<Ok ok={step.ok} words={t(step.ok ? "ok" : "failed")} />
					{step.attempt > 1 && <span className="text-ink-3"> {t("attempt", { n: step.attempt })}</span>}
				</>
			}
			bar={step.fault ? "fault" : "plain"}
		>
			{step.fault && (
				<p className="flex items-center gap-1 text-ink">
					<Zap className="size-3" aria-hidden />
					<b className="font-semibold">{t("fault", { kind: t(`faultKind.${step.fault}`) })}</b>
				</p>
			)}
			{step.ok ? (
				<Value label={t("result")} value={step.result} />
			) : (
				<span className="text-down" lang={langOf(step.error ?? "")}>
					{step.error}
				</span>
			)}
		</RowFrame>
	);
}
