"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { Button, DisabledReason, IconButton } from "@/components/ui/button";
import { Switch } from "@/components/ui/choice";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Words } from "@/components/ui/person";
import { DropdownMenu } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import { toastDone } from "@/components/ui/toast";
import { useName } from "@/components/ui/use-name";
import type { Trigger } from "@/server/triggers/contract";
import { useTriggerWords } from "./use-trigger-words";

/** What a row's menu opens; the page shows it. */
export type Opened = { kind: "form" | "dry-run" | "call" | "versions"; trigger: Trigger };

function Standing({ trigger }: { trigger: Trigger }) {
	const t = useTranslations("triggers");
	const nameOf = useName();
	return (
		<p className="text-12 text-ink-3">
			{trigger.lastFiredAt ? (
				<>
					{t("lastFired")} <RelativeTime at={trigger.lastFiredAt} /> · {t("today", { count: trigger.firedToday })}
				</>
			) : (
				t("neverFired")
			)}
			{trigger.dueAt && (
				<>
					{" · "}
					{t("due")} <RelativeTime at={trigger.dueAt} due />
				</>
			)}
			{" · "}
			{t("version", { version: trigger.version })}
			{trigger.updatedBy && (
				<>
					{" · "}
					<Words>{nameOf(trigger.updatedBy)}</Words> <RelativeTime at={trigger.updatedAt} />
				</>
			)}
		</p>
	);
}

function TriggerRow({
	trigger,
	busy,
	onSwitch,
	onDelete,
	onOpen,
}: {
	trigger: Trigger;
	busy: boolean;
	onSwitch: (on: boolean) => void;
	onDelete: () => void;
	onOpen: (opened: Opened) => void;
}) {
	const t = useTranslations("triggers");
	const c = useTranslations("common");
	const { can } = useWorkspace();
	const words = useTriggerWords();
	const editable = can("rule.manage");
	const name = words.name(trigger);
	const own = editable && trigger.key === null;
	const call = own && trigger.content.event === "api-call";
	return (
		<li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-1 border-line border-b py-3 max-md:grid-cols-1">
			<div className="min-w-0">
				<h2 className="font-semibold text-13">
					<Words>{name}</Words>
				</h2>
				<p className="mt-0.5 max-w-[72em] break-words text-12 text-ink-2">
					{trigger.key ? t(`builtIn.${trigger.key}.about`) : `${words.sentence(trigger.content)} ${words.limits(trigger.content)}`}
				</p>
				<Standing trigger={trigger} />
			</div>
			<div className="flex items-center gap-3">
				<Switch checked={trigger.enabled} onCheckedChange={onSwitch} disabled={!editable || busy} label={t(trigger.enabled ? "on" : "off")} />
				{own && (
					<Button size="sm" onClick={() => onOpen({ kind: "form", trigger })}>
						{c("edit")}
					</Button>
				)}
				<DropdownMenu
					trigger={
						<IconButton size="sm" label={`${t("more")}: ${name}`}>
							<Ellipsis className="size-3.5" aria-hidden />
						</IconButton>
					}
					items={[
						{ label: t("tryOut"), onSelect: () => onOpen({ kind: "dry-run", trigger }) },
						{ label: t("history"), onSelect: () => onOpen({ kind: "versions", trigger }) },
						...(call ? [{ label: t("call"), onSelect: () => onOpen({ kind: "call", trigger }) }] : []),
						...(own ? [{ label: c("delete"), danger: true, onSelect: onDelete }] : []),
					]}
				/>
			</div>
		</li>
	);
}

/** Every trigger in words, with its state and a switch. Turning one off asks why; turning it on does not. */
export function TriggerList({ triggers, onOpen }: { triggers: readonly Trigger[]; onOpen: (opened: Opened) => void }) {
	const t = useTranslations("triggers");
	const s = useTranslations("settings");
	const c = useTranslations("common");
	const trpc = useTRPC();
	const queryClient = useQueryClient();
	const { slug, can } = useWorkspace();
	const words = useTriggerWords();
	const [turningOff, setTurningOff] = useState<Trigger | null>(null);
	const [deleting, setDeleting] = useState<Trigger | null>(null);
	const onSettled = () => queryClient.invalidateQueries(trpc.triggers.list.queryFilter());
	const change = useMutation(
		trpc.triggers.switch.mutationOptions({ onSuccess: (_, { enabled }) => toastDone(t(enabled ? "turnedOn" : "turnedOff")), onSettled }),
	);
	const remove = useMutation(trpc.triggers.remove.mutationOptions({ onSuccess: () => toastDone(t("deleted")), onSettled }));
	const seen = ({ id, version }: Trigger) => ({ workspace: slug, id, version });
	return (
		<>
			<ul aria-label={t("label")}>
				{triggers.map((trigger) => (
					<TriggerRow
						key={trigger.id}
						trigger={trigger}
						busy={change.isPending}
						onSwitch={(enabled) => (enabled ? change.mutate({ ...seen(trigger), enabled }) : setTurningOff(trigger))}
						onDelete={() => setDeleting(trigger)}
						onOpen={onOpen}
					/>
				))}
			</ul>
			{!can("rule.manage") && <DisabledReason className="mt-3 block">{s("adminEdits")}</DisabledReason>}
			<ConfirmDialog
				open={turningOff !== null}
				onOpenChange={(open) => !open && setTurningOff(null)}
				title={turningOff && t("offTitle", { name: words.name(turningOff) })}
				description={turningOff && (turningOff.key ? t(`builtIn.${turningOff.key}.without`) : t("offText"))}
				confirmLabel={t("turnOff")}
				reasonLabel={t("reason")}
				keep={`trigger-off:${turningOff?.id}`}
				onConfirm={(reason) => (turningOff ? change.mutateAsync({ ...seen(turningOff), enabled: false, reason }) : Promise.resolve())}
			/>
			<ConfirmDialog
				open={deleting !== null}
				onOpenChange={(open) => !open && setDeleting(null)}
				title={deleting && t("deleteTitle", { name: words.name(deleting) })}
				description={t("deleteText")}
				confirmLabel={c("delete")}
				reasonLabel={t("reason")}
				keep={`trigger-delete:${deleting?.id}`}
				danger
				onConfirm={(reason) => (deleting ? remove.mutateAsync({ ...seen(deleting), reason }) : Promise.resolve())}
			/>
		</>
	);
}
