"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { RadioGroup } from "@/components/ui/choice";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import type { ComponentView, HarnessFiles } from "@/server/harness/contract";
import { NAME_RULE, type NewKind, newComponent, renameComponent } from "./draft-files";
import type { Workbench } from "./use-workbench";

const KINDS: readonly NewKind[] = ["reply", "strategy", "tool", "prompt", "hook"];

const taken = (files: HarnessFiles, path: string) => Object.keys(files).some((other) => other.toLowerCase() === path.toLowerCase());

/** A new component with as little in it as validates. */
export function NewComponentDialog({
	open,
	onOpenChange,
	workbench,
	onMade,
}: {
	open: boolean;
	onOpenChange: (open: boolean) => void;
	workbench: Workbench;
	onMade: (path: string) => void;
}) {
	const t = useTranslations("harness.new");
	const c = useTranslations("common");
	const [kind, setKind] = useState<NewKind>("reply");
	const [name, setName] = useState("");
	const [error, setError] = useState<string | null>(null);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (!NAME_RULE[kind].test(name)) return setError(t(`rule.${kind === "strategy" ? "reply" : kind}`));
		const { path, changes } = newComponent(kind, name, workbench.files, { description: t("description"), rule: t("ruleLine"), body: t("body") });
		if (taken(workbench.files, path)) return setError(t("taken"));
		workbench.write(changes);
		onOpenChange(false);
		setName("");
		onMade(path);
	};
	return (
		<Dialog
			open={open}
			onOpenChange={onOpenChange}
			title={t("title")}
			footer={
				<>
					<Button onClick={() => onOpenChange(false)}>{c("cancel")}</Button>
					<Button variant="solid" type="submit" form="new-component">
						{t("make")}
					</Button>
				</>
			}
		>
			<form id="new-component" onSubmit={submit} className="grid gap-3">
				<RadioGroup
					label={t("kind")}
					value={kind}
					onValueChange={(next) => {
						setKind(next as NewKind);
						setError(null);
					}}
					options={KINDS.map((value) => ({ value, label: t(`kinds.${value}`), hint: t(`hints.${value}`) }))}
				/>
				<Field label={t("name")} error={error} required>
					<Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" spellCheck={false} />
				</Field>
			</form>
		</Dialog>
	);
}

/** Another name for a component, in its files and where the harness names it. */
export function RenameDialog({
	component,
	onOpenChange,
	workbench,
	onMade,
}: {
	component: ComponentView | null;
	onOpenChange: (open: boolean) => void;
	workbench: Workbench;
	onMade: (path: string) => void;
}) {
	const t = useTranslations("harness.rename");
	const n = useTranslations("harness.new");
	const c = useTranslations("common");
	const [name, setName] = useState("");
	const [error, setError] = useState<string | null>(null);
	const kind = component?.kind === "skill" ? "reply" : component?.kind === "tool" ? "tool" : component?.kind === "hook" ? "hook" : "prompt";
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (!component) return;
		if (!NAME_RULE[kind].test(name)) return setError(n(`rule.${kind}`));
		const renamed = renameComponent(component.id, name, workbench.files);
		if (!renamed) return setError(t("missing"));
		if (taken(workbench.files, renamed.path)) return setError(n("taken"));
		workbench.write(renamed.changes);
		setName("");
		setError(null);
		onOpenChange(false);
		onMade(renamed.path);
	};
	return (
		<Dialog
			open={component !== null}
			onOpenChange={onOpenChange}
			title={t("title", { name: component?.name ?? "" })}
			description={t("text")}
			footer={
				<>
					<Button onClick={() => onOpenChange(false)}>{c("cancel")}</Button>
					<Button variant="solid" type="submit" form="rename-component">
						{t("act")}
					</Button>
				</>
			}
		>
			<form id="rename-component" onSubmit={submit}>
				<Field label={n("name")} error={error} required>
					<Input value={name} placeholder={component?.name} onChange={(event) => setName(event.target.value)} autoComplete="off" spellCheck={false} />
				</Field>
			</form>
		</Dialog>
	);
}
