"use client";

import { BookOpen, Check, ChevronRight, Pencil, X } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Button, GuardedButton } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useEngineName } from "@/components/ui/engine-name";
import { useEvidence } from "@/components/ui/evidence";
import { Field, Input, Textarea } from "@/components/ui/field";
import { formatShare } from "@/components/ui/format";
import { Words } from "@/components/ui/person";
import { useWritten } from "@/components/ui/said";
import { Badge, KeyHint } from "@/components/ui/status";
import { useKept } from "@/components/ui/use-kept";
import { Written } from "@/components/ui/written";
import { componentFile, type Finding } from "./types";
import type { Decide } from "./use-decide";

/** A component as a link into the editor. */
export function ComponentLink({ component }: { component: string | null }) {
	const t = useTranslations("findings");
	const { path } = useWorkspace();
	if (!component) return <span className="text-ink-3">{t("missingComponent")}</span>;
	const file = componentFile(component);
	const label = <code className="text-12">{component.replace(":", "s/").replace("manifests/harness", "harness.yaml")}</code>;
	return file ? (
		<Link href={`${path("harness")}?file=${encodeURIComponent(file)}`} className="link">
			{label}
		</Link>
	) : (
		label
	);
}

/** One failed case: what the viewer said, what was loaded, what was replied, and what the judge holds against it. */
function Example({ finding, example }: { finding: Finding; example: Finding["examples"][number] }) {
	const t = useTranslations("findings");
	const said = useEvidence();
	const { path } = useWorkspace();
	return (
		<article className="min-w-0 border-line-2 border-t pt-1.5">
			<p className="text-12">
				<Link href={`${path("runs", finding.runId)}?episode=${encodeURIComponent(example.episodeId)}`} className="link">
					{t("openTrajectory")}
				</Link>
			</p>
			<h4 className="mt-0.5 font-semibold text-14">
				<Words>{example.message}</Words>
			</h4>
			{example.loadedSkills.length > 0 && (
				<p className="mt-1 flex flex-wrap items-center gap-1 text-12 text-ink-2">
					{example.loadedSkills.map((skill, index) => (
						<span key={skill} className="inline-flex items-center gap-1">
							{index > 0 && <ChevronRight className="size-3 text-ink-3" aria-hidden />}
							<BookOpen className="size-3 text-ink-3" aria-hidden />
							{skill}
						</span>
					))}
				</p>
			)}
			<p className="mt-1 whitespace-pre-wrap break-words text-14">
				{example.reply === null ? <span className="text-ink-3">{t("noReply")}</span> : <Words>{example.reply}</Words>}
			</p>
			<ul className="mt-1 grid gap-0.5 text-12">
				{[...new Set(example.rules)].slice(0, 3).map((rule) => {
					const { text, lang } = said({ phrase: example.phrases?.[rule], rule, ok: false });
					return (
						<li key={rule} lang={lang} className="flex gap-1.5 text-down">
							<X className="mt-[3px] size-3 flex-none" aria-hidden />
							<span className="min-w-0 break-words">{text}</span>
						</li>
					);
				})}
			</ul>
		</article>
	);
}

/** The fields hold what the reader sees; one that was not changed is left out, so that what is stored stays with its phrase. */
function Modify({ finding, decide, onClose }: { finding: Finding; decide: Decide; onClose: () => void }) {
	const t = useTranslations("findings");
	const c = useTranslations("common");
	const written = useWritten();
	const shown = { title: written(finding.title, finding.phrases).text, hypothesis: written(finding.hypothesis, finding.phrases).text };
	const [typed, keep, forget] = useKept(`modify:${finding.id}`, { ...shown, note: "" });
	const { title, hypothesis, note } = typed;
	const missing = title.trim() === "" ? t("titleMissing") : hypothesis.trim() === "" ? t("hypothesisMissing") : note.trim() === "" ? t("noteMissing") : null;
	const changed = (text: string, before: string) => (text.trim() === before ? undefined : text.trim());
	const close = () => {
		forget();
		onClose();
	};
	return (
		<form
			className="mt-2 grid gap-3 rounded-6 border border-line-2 bg-sub p-3"
			onSubmit={(event) => {
				event.preventDefault();
				if (missing !== null) return;
				const words = { title: changed(title, shown.title), hypothesis: changed(hypothesis, shown.hypothesis) };
				decide.run(finding, "modify", { ...words, note: note.trim() }, close);
			}}
		>
			<Field label={t("fieldTitle")} required>
				<Input value={title} onChange={(event) => keep({ ...typed, title: event.target.value })} maxLength={300} autoFocus />
			</Field>
			<Field label={t("fieldHypothesis")} required hint={hypothesis !== shown.hypothesis && t("was", { text: shown.hypothesis })}>
				<Textarea value={hypothesis} onChange={(event) => keep({ ...typed, hypothesis: event.target.value })} maxLength={4000} />
			</Field>
			<Field label={t("fieldNote")} required>
				<Input value={note} onChange={(event) => keep({ ...typed, note: event.target.value })} maxLength={2000} />
			</Field>
			<div className="flex flex-wrap items-center gap-2">
				<GuardedButton type="submit" variant="solid" reason={missing} busy={decide.busy}>
					{t("saveAndAccept")}
				</GuardedButton>
				<Button variant="quiet" onClick={close}>
					{c("cancel")}
				</Button>
			</div>
		</form>
	);
}

function ShareColumn({ finding, failed }: { finding: Finding; failed: number }) {
	const t = useTranslations("findings");
	const locale = useLocale();
	return (
		<div className="text-right max-md:flex max-md:gap-2 max-md:text-left">
			<b className="block font-semibold text-16">{finding.cases}</b>
			<span className="block text-12 text-ink-3">{t("ofFailed", { failed })}</span>
			<span className="block text-12 text-ink-3">{formatShare(finding.share, locale, 0)}</span>
		</div>
	);
}

/** Two failed cases side by side; on a narrow screen the second is asked for. */
function Examples({ finding }: { finding: Finding }) {
	const t = useTranslations("findings");
	const [both, setBoth] = useState(false);
	const [first, second] = finding.examples;
	return (
		<div className="mt-2 grid grid-cols-2 gap-x-6 gap-y-3 max-md:grid-cols-1">
			{first && <Example finding={finding} example={first} />}
			{second && (
				<div className={cn(!both && "max-md:hidden")}>
					<Example finding={finding} example={second} />
				</div>
			)}
			{second && !both && (
				<button type="button" className="link min-h-11 justify-self-start text-12 md:hidden" onClick={() => setBoth(true)}>
					{t("secondExample")}
				</button>
			)}
		</div>
	);
}

interface OpenFindingProps {
	finding: Finding;
	failed: number;
	decide: Decide;
	selected: boolean;
	/** The keys A, M and R act on this one; its buttons say so. */
	keyed: boolean;
	onFocus: () => void;
}

/** A finding that waits for a person: share, two trajectories, hypothesis, actions. */
export function OpenFinding({ finding, failed, decide, selected, keyed, onFocus }: OpenFindingProps) {
	const t = useTranslations("findings");
	const { can } = useWorkspace();
	const engineName = useEngineName();
	const [modifying, setModifying] = useState(false);
	const [rejecting, setRejecting] = useState(false);
	const forbidden = can("finding.decide") ? null : t("roleForbids");
	return (
		<article
			id={`F-${finding.number}`}
			data-finding={finding.id}
			onFocusCapture={onFocus}
			className={cn(
				"grid grid-cols-[64px_minmax(0,1fr)] gap-x-4 border-line border-b px-6 py-4 max-md:grid-cols-1 max-md:px-4",
				selected && "bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]",
			)}
		>
			<ShareColumn finding={finding} failed={failed} />
			<div className="min-w-0">
				<h3 className="font-semibold text-14">
					<Written phrases={finding.phrases}>{finding.title}</Written>
				</h3>
				<p className="mt-0.5 flex flex-wrap gap-x-3 text-12 text-ink-2">
					<span className="text-ink-3">F-{finding.number}</span>
					<ComponentLink component={finding.component} />
					<span>{t("foundBy", { engine: engineName(finding.engine) })}</span>
					{/* A trigger judges nothing. */}
					{!finding.engine.startsWith("trigger:") && <span>{t("confidence", { value: finding.confidence.toFixed(2) })}</span>}
					{modifying && <Badge icon={<Pencil className="size-3" aria-hidden />}>{t("modifying")}</Badge>}
				</p>
				<Examples finding={finding} />
				{modifying ? (
					<Modify finding={finding} decide={decide} onClose={() => setModifying(false)} />
				) : (
					<>
						<p className="mt-3 max-w-[62em] text-14">
							<span className="text-12 text-ink-3">{t("hypothesis")} </span>
							<Written phrases={finding.phrases}>{finding.hypothesis}</Written>
						</p>
						<div className="mt-3 flex flex-wrap items-center gap-2">
							{forbidden ? (
								<GuardedButton variant="solid" reason={forbidden}>
									{t("accept")}
								</GuardedButton>
							) : (
								<>
									<Button variant="solid" busy={decide.busy} onClick={() => decide.run(finding, "accept")}>
										<Check className="size-3.5" aria-hidden />
										{t("accept")}
										<KeyHint active={keyed}>A</KeyHint>
									</Button>
									<Button data-act="modify" onClick={() => setModifying(true)}>
										{t("modify")}
										<KeyHint active={keyed}>M</KeyHint>
									</Button>
									<Button data-act="reject" onClick={() => setRejecting(true)}>
										{t("reject")}…<KeyHint active={keyed}>R</KeyHint>
									</Button>
								</>
							)}
						</div>
					</>
				)}
			</div>
			<ConfirmDialog
				open={rejecting}
				onOpenChange={setRejecting}
				title={t("rejectTitle", { number: finding.number })}
				description={t("rejectText")}
				reasonLabel={t("rejectReason")}
				keep={`reject:${finding.id}`}
				confirmLabel={t("reject")}
				onConfirm={(note) => decide.settle(finding, "reject", { note })}
			/>
		</article>
	);
}
