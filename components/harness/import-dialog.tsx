"use client";

import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button, GuardedButton } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/choice";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FilePicker, readBase64 } from "@/components/ui/file";
import { useSaid } from "@/components/ui/said";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { toastDone } from "@/components/ui/toast";
import type { ImportReport } from "@/server/harness/contract";
import { Coded } from "./problem-list";
import type { Workbench } from "./use-workbench";

type What = "skills" | "tools";
type Mode = "strict" | "lenient";

/** Skills from a zip or tools from a tools/list result: first what would happen, then into the draft. */
export function ImportDialog({ open, onOpenChange, workbench }: { open: boolean; onOpenChange: (open: boolean) => void; workbench: Workbench }) {
	const t = useTranslations("harness.import");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const { kind, branch, assist } = workbench.view;
	const [what, setWhat] = useState<What>("skills");
	const [mode, setMode] = useState<Mode>("lenient");
	const [binding, setBinding] = useState("");
	const [file, setFile] = useState<File | null>(null);
	const [report, setReport] = useState<ImportReport | null>(null);
	const skills = useMutation(trpc.harness.importSkills.mutationOptions());
	const tools = useMutation(trpc.harness.importTools.mutationOptions());
	const busy = skills.isPending || tools.isPending;

	const run = async (apply: boolean, chosen: { file: File | null; what: What; mode: Mode; binding: string }) => {
		if (!chosen.file) return;
		// What was typed goes first: the import then stands on the newest version of the draft.
		const view = apply ? await workbench.flush() : workbench.view;
		if (!view) return;
		const common = { workspace: slug, kind, branch, mode: chosen.mode, apply, version: view.draft?.version ?? 0 };
		const result =
			chosen.what === "skills"
				? await skills.mutateAsync({ ...common, archive: await readBase64(chosen.file) })
				: await tools.mutateAsync({
						...common,
						json: await chosen.file.text(),
						binding: chosen.binding ? { kind: "mcp", connection: chosen.binding } : { kind: "simulator" },
					});
		setReport(result.report);
		if (!apply) return;
		await workbench.reload();
		toastDone(t("done", { count: result.report.imported.length }));
		onOpenChange(false);
		setFile(null);
		setReport(null);
	};
	// A failure shows its own toast.
	const preview = (next: Partial<{ file: File | null; what: What; mode: Mode; binding: string }>) =>
		void run(false, { file, what, mode, binding, ...next }).catch(() => setReport(null));

	return (
		<Dialog
			open={open}
			onOpenChange={onOpenChange}
			title={t("title")}
			description={t("text")}
			className="w-[560px]"
			footer={
				<>
					<Button onClick={() => onOpenChange(false)}>{c("cancel")}</Button>
					<GuardedButton
						variant="solid"
						busy={busy}
						reason={report === null ? t("chooseFirst") : report.imported.length === 0 ? t("nothing") : null}
						onClick={() => void run(true, { file, what, mode, binding }).catch(() => undefined)}
					>
						{t("act", { count: report?.imported.length ?? 0 })}
					</GuardedButton>
				</>
			}
		>
			<div className="grid gap-3">
				<Segmented
					label={t("what")}
					value={what}
					onValueChange={(next) => {
						setWhat(next as What);
						setFile(null);
						setReport(null);
					}}
					options={[
						{ value: "skills", label: t("skills") },
						{ value: "tools", label: t("tools") },
					]}
				/>
				<Field label={what === "skills" ? t("zip") : t("json")} hint={what === "skills" ? t("zipHint") : t("jsonHint")}>
					<FilePicker
						key={what}
						accept={what === "skills" ? ".zip,application/zip" : ".json,application/json"}
						file={file}
						onFile={(next) => {
							setFile(next);
							preview({ file: next });
						}}
					/>
				</Field>
				{what === "tools" && (
					<Field label={t("binding")} hint={t("bindingHint")}>
						<Select
							value={binding}
							onValueChange={(next) => {
								setBinding(next);
								preview({ binding: next });
							}}
							options={[{ value: "", label: t("bindingSimulator") }, ...assist.connections.map((name) => ({ value: name, label: name, hint: "MCP" }))]}
						/>
					</Field>
				)}
				<RadioGroup
					label={t("mode")}
					value={mode}
					onValueChange={(next) => {
						setMode(next as Mode);
						preview({ mode: next as Mode });
					}}
					options={[
						{ value: "lenient", label: t("lenient"), hint: t("lenientHint") },
						{ value: "strict", label: t("strict"), hint: t("strictHint") },
					]}
				/>
				{report && <Report report={report} />}
			</div>
		</Dialog>
	);
}

function Report({ report }: { report: ImportReport }) {
	const t = useTranslations("harness.import");
	const said = useSaid("problems");
	const list = (rows: ImportReport["rejected"], tone: string) => (
		<ul className="max-h-40 overflow-y-auto">
			{rows.map((row) => (
				<li key={`${row.at}:${row.reason}`} className="border-line border-t py-1 text-12">
					<code className={tone}>
						{row.at || "–"}
						{row.line !== undefined && `:${row.line}`}
					</code>{" "}
					<span className="text-ink-2">
						<Coded {...said(row.phrase, row.reason)} />
					</span>
				</li>
			))}
		</ul>
	);
	return (
		<section aria-live="polite" className="grid gap-2 border-line border-t pt-3 text-12">
			<p className="font-semibold">{t("report", { imported: report.imported.length, rejected: report.rejected.length, warnings: report.warnings.length })}</p>
			{report.imported.length > 0 && <p className="max-h-24 overflow-y-auto break-words text-ink-2">{report.imported.join(", ")}</p>}
			{report.rejected.length > 0 && list(report.rejected, "text-down")}
			{report.warnings.length > 0 && list(report.warnings, "text-unsure")}
		</section>
	);
}
