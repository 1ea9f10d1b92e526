"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { describeError, type Translator } from "@/components/trpc/error-text";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FilePicker } from "@/components/ui/file";
import { formatBytes } from "@/components/ui/format";
import { ErrorNote, Notice } from "@/components/ui/notes";
import { Progress, SkeletonRows } from "@/components/ui/status";
import { toastDone } from "@/components/ui/toast";
import { useKept } from "@/components/ui/use-kept";
import type { CaseImportReport, ImportOptionsInput } from "@/server/evaluation/contract";
import { DEFAULT_DRAFT, type Draft, ImportOptionsForm, sharesValid, toOptions } from "./import-options";
import { ImportReportView } from "./import-report";
import { useUpload } from "./use-upload";

interface Entered {
	staged: Staged | null;
	draft: Draft;
	columns: string[];
}

interface Staged {
	uploadId: string;
	name: string;
	size: number;
}

/** Import in three steps on one surface: the file, what its columns mean, and a dry run that names every bad row before anything is stored. */
export function ImportDialog({ suite, onClose }: { suite: string; onClose: (imported?: string) => void }) {
	const t = useTranslations("cases.wizard");
	const errors = useTranslations("errors");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug } = useWorkspace();
	const { upload, progress } = useUpload();
	const [entered, keep, forget] = useKept<Entered>(`import:${slug}:${suite}`, { staged: null, draft: { ...DEFAULT_DRAFT, suite }, columns: [] });
	const { staged, draft, columns } = entered;
	const enter = (change: Partial<Entered>) => keep((before) => ({ ...before, ...change }));
	const [report, setReport] = useState<CaseImportReport | null>(null);
	const [failure, setFailure] = useState<unknown>(null);
	const dry = useMutation(trpc.cases.dryRun.mutationOptions({ meta: { silent: true } }));
	const apply = useMutation(trpc.cases.importApply.mutationOptions({ meta: { silent: true } }));

	const fail = (error: unknown) => {
		setFailure(error);
		const data = (error as { data?: { wire?: { data?: { columns?: unknown } } } }).data?.wire?.data;
		if (Array.isArray(data?.columns)) enter({ columns: data.columns.map(String) });
	};
	const check = async (file: Staged, options: ImportOptionsInput, into: string) => {
		setFailure(null);
		setReport(null);
		try {
			const found = await dry.mutateAsync({ workspace: slug, uploadId: file.uploadId, fileName: file.name, suite: into, options });
			setReport(found);
			// What was guessed becomes visible, and can be changed.
			keep((before) => ({
				...before,
				columns: found.columns,
				draft: found.mapping ? { ...before.draft, mapping: { ...found.mapping } } : before.draft,
			}));
		} catch (error) {
			fail(error);
		}
	};
	const choose = async (file: File) => {
		setFailure(null);
		setReport(null);
		try {
			const uploadId = await upload(file);
			const next = { uploadId, name: file.name, size: file.size };
			enter({ staged: next });
			await check(next, toOptions({ ...draft, mapping: {} }), draft.suite);
		} catch (error) {
			fail(error);
		}
	};
	const submit = async () => {
		if (!staged) return;
		setFailure(null);
		try {
			const done = await apply.mutateAsync({
				workspace: slug,
				uploadId: staged.uploadId,
				fileName: staged.name,
				suite: draft.suite,
				options: toOptions(draft),
			});
			toastDone(
				done.suiteVersion.created
					? t("done", { count: done.added + done.updated, version: done.suiteVersion.version })
					: t("same", { version: done.suiteVersion.version }),
			);
			forget();
			await queryClient.invalidateQueries(trpc.cases.pathFilter());
			onClose(draft.suite);
		} catch (error) {
			fail(error);
		}
	};
	const text = failure === null ? null : describeError(failure, errors as unknown as Translator);
	// The report of an earlier mapping says nothing of this one.
	const due = staged !== null && report === null && !dry.isPending;
	return (
		<Dialog
			open
			onOpenChange={(open) => !open && onClose()}
			title={t("title")}
			description={t("body")}
			className="top-[6vh] max-h-[88vh] w-[760px]"
			footer={
				staged && (
					<>
						<Button
							onClick={() => {
								// Given up in so many words: the next file begins with nothing.
								forget();
								setReport(null);
								setFailure(null);
							}}
						>
							{t("back")}
						</Button>
						<Button
							variant={due ? "solid" : "outline"}
							busy={dry.isPending}
							disabled={!sharesValid(draft)}
							onClick={() => void check(staged, toOptions(draft), draft.suite)}
						>
							{t("dryRun")}
						</Button>
						<Button variant={due ? "outline" : "solid"} busy={apply.isPending} disabled={!report || report.accepted === 0} onClick={() => void submit()}>
							{report ? t("apply", { count: report.accepted }) : t("applyDue")}
						</Button>
					</>
				)
			}
		>
			<div className="grid gap-4">
				{!staged && !progress && <FilePicker tall hint={t("limits")} accept=".csv,.tsv,.txt,.jsonl,.ndjson,.json" onFile={(file) => void choose(file)} />}
				{progress && (
					<div className="text-12 text-ink-2">
						<p className="mb-1.5">{t("uploading", { name: progress.name })}</p>
						<Progress done={progress.sent} total={progress.total} label={t("uploading", { name: progress.name })} />
					</div>
				)}
				{staged && (
					<>
						<p className="text-13">{t("file", { name: staged.name, size: formatBytes(staged.size) })}</p>
						<ImportOptionsForm
							draft={draft}
							columns={columns}
							dialect={report?.dialect ?? null}
							onChange={(next) => {
								enter({ draft: next });
								setReport(null);
								setFailure(null);
							}}
						/>
					</>
				)}
				{text && <ErrorNote title={text.title} next={text.fix} reference={text.reference} />}
				{due && failure === null && <Notice>{t("due")}</Notice>}
				{dry.isPending && (
					<div aria-live="polite">
						<p className="mb-2 text-12 text-ink-3">{t("checking")}</p>
						<SkeletonRows rows={4} columns={3} />
					</div>
				)}
				{report && !dry.isPending && <ImportReportView report={report} />}
			</div>
		</Dialog>
	);
}
