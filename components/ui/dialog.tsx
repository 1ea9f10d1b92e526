"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Dialog as RadixDialog } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { Button, GuardedButton } from "./button";
import { cn } from "./cn";
import { Field, Input, Textarea } from "./field";
import { useKept } from "./use-kept";

/** Actions stand on the right; why one of them cannot be taken stands before all of them, on the left. */
const FOOTER =
	"flex flex-none flex-wrap items-center justify-end gap-2 border-line border-t px-5 py-3 [&_[data-guarded]>:last-child]:-order-1 [&_[data-guarded]>:last-child]:mr-auto [&_[data-guarded]]:contents";

interface FrameProps {
	open: boolean;
	onOpenChange: (open: boolean) => void;
	title: ReactNode;
	description?: ReactNode;
	children?: ReactNode;
	/** Buttons at the lower right; the last one is the act. */
	footer?: ReactNode;
	className?: string;
}

function Veil() {
	return <RadixDialog.Overlay className="fixed inset-0 z-40 bg-veil data-[state=open]:animate-in data-[state=open]:fade-in-0" />;
}

function Head({ title, description }: Pick<FrameProps, "title" | "description">) {
	const t = useTranslations("common");
	return (
		<header className="flex items-start gap-3">
			<div className="min-w-0 flex-1">
				<RadixDialog.Title className="font-semibold text-14">{title}</RadixDialog.Title>
				{description ? (
					<RadixDialog.Description className="mt-1 text-13 text-ink-2">{description}</RadixDialog.Description>
				) : (
					<RadixDialog.Description className="sr-only">{title}</RadixDialog.Description>
				)}
			</div>
			<RadixDialog.Close
				aria-label={t("close")}
				className="-mt-1 -mr-2 grid size-7 place-items-center rounded-4 text-ink-3 hover:bg-hover hover:text-ink max-md:size-11"
			>
				<X className="size-3.5" aria-hidden />
			</RadixDialog.Close>
		</header>
	);
}

/** Escape closes the list of a field first, the dialog only then: it is the innermost thing that is open. */
function leaveToList(event: KeyboardEvent): void {
	if (document.activeElement?.matches('input[role="combobox"][aria-expanded="true"]')) event.preventDefault();
}

/** A decision that needs the whole attention. Escape and the veil close it. */
export function Dialog({ open, onOpenChange, title, description, children, footer, className }: FrameProps) {
	return (
		<RadixDialog.Root open={open} onOpenChange={onOpenChange}>
			<RadixDialog.Portal>
				<Veil />
				<RadixDialog.Content
					onEscapeKeyDown={leaveToList}
					className={cn(
						"-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 flex max-h-[80dvh] w-[440px] max-w-[calc(100vw-24px)] flex-col rounded-6 border border-line-2 bg-pop shadow-pop data-[state=open]:animate-in data-[state=open]:fade-in-0",
						className,
					)}
				>
					{/* The head and the acts stay where they are; only what is between them scrolls. */}
					<div className="px-5 pt-4 pb-3">
						<Head title={title} description={description} />
					</div>
					{children && <div className="min-h-0 overflow-y-auto px-5 pt-0.5 pb-4">{children}</div>}
					{footer && <footer className={FOOTER}>{footer}</footer>}
				</RadixDialog.Content>
			</RadixDialog.Portal>
		</RadixDialog.Root>
	);
}

interface FormDialogProps extends Omit<FrameProps, "footer" | "className"> {
	submitLabel: string;
	/** The act is under way. */
	busy: boolean;
	/** Whether what is entered can be sent; the fields say why not. */
	ready: boolean;
	onSubmit: () => void;
	/** The button's own act, where it gives up what closing keeps. */
	onCancel?: () => void;
}

/** Fields and one act: the button and Enter do the same. */
export function FormDialog({ submitLabel, busy, ready, onSubmit, onCancel, children, ...frame }: FormDialogProps) {
	const t = useTranslations("common");
	const id = useId();
	return (
		<Dialog
			{...frame}
			className="w-[520px]"
			footer={
				<>
					<Button onClick={onCancel ?? (() => frame.onOpenChange(false))}>{t("cancel")}</Button>
					<Button type="submit" form={id} variant="solid" busy={busy} disabled={!ready}>
						{submitLabel}
					</Button>
				</>
			}
		>
			<form
				id={id}
				noValidate
				className="grid gap-3"
				onSubmit={(event) => {
					event.preventDefault();
					if (ready && !busy) onSubmit();
				}}
			>
				{children}
			</form>
		</Dialog>
	);
}

/** A drawer: detail beside the list it belongs to, or a menu from below on a narrow screen. */
export function Sheet({ open, onOpenChange, title, description, children, footer, side = "right", className }: FrameProps & { side?: "right" | "bottom" }) {
	return (
		<RadixDialog.Root open={open} onOpenChange={onOpenChange}>
			<RadixDialog.Portal>
				<Veil />
				<RadixDialog.Content
					onEscapeKeyDown={leaveToList}
					className={cn(
						"fixed z-50 flex flex-col border-line-2 bg-pop shadow-pop data-[state=open]:animate-in",
						side === "right"
							? "inset-y-0 right-0 w-[560px] max-w-full border-l data-[state=open]:slide-in-from-right-8"
							: "inset-x-0 bottom-0 max-h-[85vh] rounded-t-6 border-t data-[state=open]:slide-in-from-bottom-8",
						className,
					)}
				>
					<div className="border-line border-b px-5 pt-4 pb-3">
						<Head title={title} description={description} />
					</div>
					<div className="min-h-0 flex-1 overflow-y-auto px-5 py-3">{children}</div>
					{footer && <footer className={FOOTER}>{footer}</footer>}
				</RadixDialog.Content>
			</RadixDialog.Portal>
		</RadixDialog.Root>
	);
}

interface ConfirmFrameProps extends Omit<FrameProps, "footer"> {
	/** The verb of the act, as on the button that opened this. */
	confirmLabel: string;
	/** Red button: what destroys or refuses. */
	danger?: boolean;
	/** The word that has to be typed, for acts that reach production. */
	typed?: string;
	/** Closes when it resolves; stays open when it rejects (the caller says what went wrong). */
	onConfirm: (reason: string) => Promise<unknown>;
}

interface AskedReason {
	/** Ask for a reason under this label; given to `onConfirm`. */
	reasonLabel: string;
	/** What the reason is kept under when the dialog is closed: the act and what it is done to. */
	keep: string;
	/** Whether the reason may stay empty. */
	reasonOptional?: boolean;
}

export type ConfirmDialogProps = ConfirmFrameProps & (AskedReason | { [name in keyof AskedReason]?: never });

/** Asks before an act that cannot be taken back by Undo. */
export function ConfirmDialog({
	confirmLabel,
	danger,
	typed,
	reasonLabel,
	keep,
	reasonOptional,
	onConfirm,
	children,
	onOpenChange,
	...frame
}: ConfirmDialogProps) {
	const t = useTranslations("common");
	const [word, setWord] = useState("");
	const [reason, setReason, forgetReason] = useKept(keep ?? "", "");
	const [busy, setBusy] = useState(false);
	const unreasoned = reasonLabel !== undefined && !reasonOptional && reason.trim() === "";
	const ready = (!typed || word.trim() === typed) && !unreasoned;
	const change = (open: boolean) => {
		if (!open) setWord("");
		onOpenChange(open);
	};
	const submit = async () => {
		if (!ready || busy) return;
		setBusy(true);
		try {
			await onConfirm(reason.trim());
			forgetReason();
			change(false);
		} catch {
			// The caller's mutation has already said what happened; what was typed is kept.
		} finally {
			setBusy(false);
		}
	};
	return (
		<Dialog
			{...frame}
			onOpenChange={change}
			footer={
				<>
					<Button onClick={() => change(false)}>{t("cancel")}</Button>
					<GuardedButton
						variant={danger ? "danger-solid" : "solid"}
						reason={unreasoned ? t("reasonMissing") : null}
						disabled={!ready}
						busy={busy}
						onClick={() => void submit()}
					>
						{confirmLabel}
					</GuardedButton>
				</>
			}
		>
			<form
				className="grid gap-3"
				onSubmit={(event) => {
					event.preventDefault();
					void submit();
				}}
			>
				{children}
				{reasonLabel && (
					<Field label={reasonLabel} required={!reasonOptional}>
						<Textarea value={reason} onChange={(event) => setReason(event.target.value)} maxLength={2000} />
					</Field>
				)}
				{typed && (
					<Field label={t.rich("typeToConfirm", { word: () => <b className="font-semibold text-ink">{typed}</b> })}>
						<Input value={word} onChange={(event) => setWord(event.target.value)} autoComplete="off" spellCheck={false} />
					</Field>
				)}
			</form>
		</Dialog>
	);
}
