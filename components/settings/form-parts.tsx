"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { describeError, type Translator, wireOf } from "@/components/trpc/error-text";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, Sheet } from "@/components/ui/dialog";
import { Skeleton, SkeletonRows } from "@/components/ui/status";

/** Which fields of a form the server refused; the form says in the reader's language what each needs. */
export function refusedFields(error: unknown): ReadonlySet<string> {
	return new Set(Object.keys(wireOf(error)?.fields ?? {}));
}

/** What stands above the buttons after a refusal that belongs to no single field. What was typed stays. */
export function FormError({ error }: { error: unknown }) {
	const t = useTranslations("errors");
	if (!error || refusedFields(error).size > 0) return null;
	const text = describeError(error, t as unknown as Translator);
	return (
		<p role="alert" className="text-13 text-down">
			{text.title}
			{text.fix && <span className="block text-12 text-ink-2">{text.fix}</span>}
		</p>
	);
}

/** A form in a drawer: fields, the refusal, cancel and one act. */
export function FormSheet({
	open,
	onClose,
	onCancel = onClose,
	title,
	description,
	submitLabel,
	busy,
	error,
	onSubmit,
	children,
}: {
	open: boolean;
	onClose: () => void;
	/** The button's own act, where it gives up what closing keeps. */
	onCancel?: () => void;
	title: ReactNode;
	description?: ReactNode;
	submitLabel: ReactNode;
	busy: boolean;
	error: unknown;
	onSubmit: () => void;
	children: ReactNode;
}) {
	const c = useTranslations("common");
	const id = useId();
	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (!busy) onSubmit();
	};
	return (
		<Sheet
			open={open}
			onOpenChange={(next) => !next && onClose()}
			title={title}
			description={description}
			footer={
				<>
					<div className="w-full empty:hidden">
						<FormError error={error} />
					</div>
					<Button onClick={onCancel}>{c("cancel")}</Button>
					<Button type="submit" form={id} variant="solid" busy={busy}>
						{submitLabel}
					</Button>
				</>
			}
		>
			<form id={id} onSubmit={submit} className="grid gap-4 pb-4" noValidate>
				{children}
			</form>
		</Sheet>
	);
}

/** A secret that is told once: it is kept only as a hash or sealed, so this is the moment to copy it. */
export function SecretOnce({ title, text, secret, onClose }: { title: ReactNode; text: ReactNode; secret: string | null; onClose: () => void }) {
	const c = useTranslations("common");
	return (
		<Dialog
			open={secret !== null}
			onOpenChange={(open) => !open && onClose()}
			title={title}
			description={text}
			footer={
				<Button variant="solid" onClick={onClose}>
					{c("close")}
				</Button>
			}
		>
			<div className="flex items-center gap-2 rounded-4 border border-line-2 bg-sub px-2.5 py-1.5">
				<code className="min-w-0 flex-1 select-all break-all text-13" data-testid="secret">
					{secret}
				</code>
				<CopyButton value={secret ?? ""} />
			</div>
		</Dialog>
	);
}

/** The body of a section below its head. */
export function SectionBody({ children, className }: { children: ReactNode; className?: string }) {
	return <div className={cn("px-6 pb-10 max-md:px-4", className)}>{children}</div>;
}

/** The grid of a section before its data: its sentence, then rows. */
export function SectionSkeleton({ columns }: { columns: number }) {
	const c = useTranslations("common");
	return (
		<div role="status" aria-busy="true" aria-label={c("loading")}>
			<div className="border-line border-b px-6 pt-5 pb-4 max-md:p-4">
				<Skeleton className="h-5 w-[46%] max-md:w-full" />
				<Skeleton className="mt-3 h-3 w-[62%] max-md:w-2/3" />
			</div>
			<SectionBody className="pt-3">
				<SkeletonRows rows={6} columns={columns} />
			</SectionBody>
		</div>
	);
}

/** State of one drawer: closed, open for a new thing, or open for one that exists. */
export function useDrawer<T>() {
	const [target, setTarget] = useState<T | "new" | null>(null);
	return { target, openNew: () => setTarget("new"), openFor: (item: T) => setTarget(item), close: () => setTarget(null) };
}
