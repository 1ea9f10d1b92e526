"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useWorkspace } from "@/components/layout/workspace-context";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notes";
import { Facts, PageHeader, SectionHead } from "@/components/ui/page";
import { Words } from "@/components/ui/person";
import { toastDone } from "@/components/ui/toast";
import { SectionBody } from "./form-parts";

const SHORTEST = 10;

async function post(path: string, body: object): Promise<number> {
	try {
		return (await fetch(`/api/auth/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).status;
	} catch {
		return 0;
	}
}

type Problem = "wrong" | "short" | "different" | "tooMany" | "noAnswer";

function PasswordForm() {
	const t = useTranslations("settings.account");
	const [current, setCurrent] = useState("");
	const [next, setNext] = useState("");
	const [again, setAgain] = useState("");
	const [problem, setProblem] = useState<Problem | null>(null);
	const [busy, setBusy] = useState(false);
	const submit = async (event: FormEvent) => {
		event.preventDefault();
		if (next.length < SHORTEST) return setProblem("short");
		if (next !== again) return setProblem("different");
		setBusy(true);
		const status = await post("change-password", { currentPassword: current, newPassword: next, revokeOtherSessions: true });
		setBusy(false);
		if (status === 200) {
			setProblem(null);
			setCurrent("");
			setNext("");
			setAgain("");
			return toastDone(t("changed"));
		}
		setProblem(status === 429 ? "tooMany" : status === 400 || status === 401 ? "wrong" : "noAnswer");
	};
	const at = (kinds: Problem[]) => problem !== null && kinds.includes(problem) && t(`problem.${problem}`, { count: SHORTEST });
	return (
		<form onSubmit={(event) => void submit(event)} className="grid max-w-[360px] gap-3">
			<Field label={t("current")} required error={at(["wrong", "tooMany", "noAnswer"])}>
				<Input type="password" autoComplete="current-password" value={current} onChange={(event) => setCurrent(event.target.value)} />
			</Field>
			<Field label={t("new")} required hint={t("newHint", { count: SHORTEST })} error={at(["short"])}>
				<Input type="password" autoComplete="new-password" value={next} onChange={(event) => setNext(event.target.value)} maxLength={200} />
			</Field>
			<Field label={t("again")} required error={at(["different"])}>
				<Input type="password" autoComplete="new-password" value={again} onChange={(event) => setAgain(event.target.value)} maxLength={200} />
			</Field>
			<div>
				<Button type="submit" variant="solid" busy={busy} disabled={current === "" || next === ""}>
					{t("change")}
				</Button>
			</div>
		</form>
	);
}

/** The person's own account: who they are here, password, other sessions. */
export function AccountSection() {
	const t = useTranslations("settings.account");
	const c = useTranslations("common");
	const { shell } = useWorkspace();
	const [busy, setBusy] = useState(false);
	const { name, email, demo } = shell.person;
	const endOthers = async () => {
		setBusy(true);
		if ((await post("revoke-other-sessions", {})) === 200) toastDone(t("ended"));
		setBusy(false);
	};
	return (
		<>
			<PageHeader title={t.rich("say", { name: () => <Words>{name}</Words>, roles: shell.roles.map((role) => c(`role.${role}`)).join(" · ") })} />
			<SectionBody>
				<Facts className="pt-4" items={[[t("email"), email]]} />
				<SectionHead title={t("password")} className="mt-4" />
				{demo ? <Notice className="max-w-[560px]">{t("demo")}</Notice> : <PasswordForm />}
				<SectionHead title={t("sessions")} className="mt-6" />
				<p className="mb-2 max-w-[560px] text-13 text-ink-2">{t("sessionsText")}</p>
				<Button busy={busy} onClick={() => void endOthers()}>
					{t("endOthers")}
				</Button>
			</SectionBody>
		</>
	);
}
