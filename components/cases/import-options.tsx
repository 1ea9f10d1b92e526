"use client";

import { useTranslations } from "next-intl";
import { Field, Input } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { type CaseMapping, CaseMappingSchema, DEFAULT_SHARES, type ImportOptionsInput } from "@/server/evaluation/contract";

type MappingKey = keyof CaseMapping;

export interface Draft {
	suite: string;
	encoding: string;
	format: "auto" | "csv" | "jsonl";
	mapping: Partial<CaseMapping>;
	defaultCategory: string;
	mode: "append" | "replace";
	shares: { dev: string; test: string; holdout: string };
}

const percent = (share: number) => String(Math.round(share * 100));

export const DEFAULT_DRAFT: Draft = {
	suite: "t1",
	encoding: "auto",
	format: "auto",
	mapping: {},
	defaultCategory: "",
	mode: "append",
	shares: { dev: percent(DEFAULT_SHARES.dev), test: percent(DEFAULT_SHARES.test), holdout: percent(DEFAULT_SHARES.holdout) },
};

const ENCODINGS = ["auto", "utf-8", "gb18030", "big5", "shift_jis", "windows-1252", "utf-16le"];
const KEYS = Object.keys(CaseMappingSchema.shape) as MappingKey[];
const toNumber = (text: string) => Number.parseFloat(text) || 0;

export const sharesValid = (draft: Draft): boolean => toNumber(draft.shares.dev) + toNumber(draft.shares.test) + toNumber(draft.shares.holdout) === 100;

/** The draft as the server takes it; no mapping lets it guess. */
export function toOptions(draft: Draft): ImportOptionsInput {
	const { message, ...rest } = draft.mapping;
	const mapped = Object.fromEntries(Object.entries(rest).filter(([, column]) => column));
	return {
		encoding: draft.encoding,
		format: draft.format,
		mode: draft.mode,
		shares: { dev: toNumber(draft.shares.dev) / 100, test: toNumber(draft.shares.test) / 100, holdout: toNumber(draft.shares.holdout) / 100 },
		...(message ? { mapping: { message, ...mapped } } : {}),
		...(draft.defaultCategory.trim() ? { defaultCategory: draft.defaultCategory.trim() } : {}),
	};
}

/** What a file's columns mean, where it goes, and how it is split. */
export function ImportOptionsForm({
	draft,
	columns,
	dialect,
	onChange,
}: {
	draft: Draft;
	columns: readonly string[];
	dialect: string | null;
	onChange: (draft: Draft) => void;
}) {
	const t = useTranslations("cases.wizard");
	const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
	const map = (key: MappingKey, column: string) => set({ mapping: { ...draft.mapping, [key]: column || undefined } });
	// Files that bring their own structure need no mapping.
	const needsMapping = columns.length > 0 && (dialect === null || dialect === "table" || dialect === "promptfoo");
	return (
		<div className="grid gap-3">
			<div className="grid grid-cols-3 items-start gap-3 max-md:grid-cols-1">
				<Field label={t("suite")} hint={t("suiteHint")}>
					<Input value={draft.suite} onChange={(event) => set({ suite: event.target.value })} spellCheck={false} />
				</Field>
				<Field label={t("encoding")}>
					<Select
						value={draft.encoding}
						onValueChange={(encoding) => set({ encoding })}
						options={ENCODINGS.map((value) => ({ value, label: value === "auto" ? t("auto") : value }))}
					/>
				</Field>
				<Field label={t("defaultCategory")}>
					<Input value={draft.defaultCategory} onChange={(event) => set({ defaultCategory: event.target.value })} maxLength={80} />
				</Field>
			</div>
			{needsMapping && (
				<fieldset>
					<legend className="mb-1.5 font-semibold text-12">{t("mapping")}</legend>
					<div className="grid grid-cols-3 gap-x-3 gap-y-2 max-md:grid-cols-1">
						{KEYS.map((key) => (
							<Field key={key} label={t(`field.${key}`)} required={key === "message"}>
								<Select
									size="sm"
									value={draft.mapping[key] ?? ""}
									onValueChange={(column) => map(key, column)}
									options={[{ value: "", label: t("none") }, ...columns.filter(Boolean).map((column) => ({ value: column, label: column }))]}
								/>
							</Field>
						))}
					</div>
				</fieldset>
			)}
			<div className="grid grid-cols-2 items-start gap-3 max-md:grid-cols-1">
				<Field label={t("mode")}>
					<Segmented
						label={t("mode")}
						value={draft.mode}
						onValueChange={(value) => set({ mode: value === "replace" ? "replace" : "append" })}
						options={[
							{ value: "append", label: t("append") },
							{ value: "replace", label: t("replace") },
						]}
					/>
				</Field>
				<fieldset>
					<legend className="mb-1 text-12 text-ink-2">{t("shares")}</legend>
					<div className="flex gap-2">
						{(["dev", "test", "holdout"] as const).map((split) => (
							<Input
								key={split}
								type="number"
								min={0}
								max={100}
								aria-label={`${t("shares")}: ${split}`}
								value={draft.shares[split]}
								onChange={(event) => set({ shares: { ...draft.shares, [split]: event.target.value } })}
								className="w-20"
							/>
						))}
					</div>
					<p className={sharesValid(draft) ? "mt-1 text-12 text-ink-3" : "mt-1 text-12 text-down"}>{sharesValid(draft) ? t("sharesHint") : t("sharesBad")}</p>
				</fieldset>
			</div>
		</div>
	);
}
