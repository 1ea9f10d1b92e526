"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { PersonAvatar, Words } from "@/components/ui/person";

interface DemoPerson {
	persona: "operator" | "reviewer" | "viewer" | "admin";
	name: string;
	roles: ("operator" | "reviewer" | "viewer" | "admin")[];
}

type Failure = "wrongToken" | "wrongPassword" | "tooMany" | "noAnswer" | "refused";

async function post(url: string, body: unknown, wrong: Failure): Promise<Failure | null> {
	let response: Response;
	try {
		response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
	} catch {
		return "noAnswer";
	}
	if (response.ok) return null;
	if (response.status === 429) return "tooMany";
	if (response.status === 401 || response.status === 400 || response.status === 422) return wrong;
	return response.status === 403 ? "refused" : "noAnswer";
}

/** Both ways in. What was typed stays after a refusal. */
export function SignInForms({
	demo,
	token: given,
	remembered,
	next,
}: {
	demo: readonly DemoPerson[];
	token: string;
	/** This browser has entered with the token of this start before: it need not be given again. */
	remembered: boolean;
	next: string;
}) {
	const t = useTranslations("signin");
	const c = useTranslations("common");
	const [token, setToken] = useState(given);
	const [email, setEmail] = useState("");
	const [password, setPassword] = useState("");
	const [busy, setBusy] = useState<string | null>(null);
	const [demoFailure, setDemoFailure] = useState<Failure | null>(null);
	const [accountFailure, setAccountFailure] = useState<Failure | null>(null);

	// A full load, not a client transition: everything that was rendered for nobody is thrown away.
	const enter = () => window.location.assign(next);

	const asDemo = async (persona: DemoPerson["persona"]) => {
		setBusy(persona);
		const failure = await post("/api/demo-sign-in", { token: token.trim(), persona }, "wrongToken");
		setDemoFailure(failure);
		if (!failure) return enter();
		setBusy(null);
	};
	const asAccount = async (event: FormEvent) => {
		event.preventDefault();
		setBusy("account");
		const failure = await post("/api/auth/sign-in/email", { email: email.trim(), password }, "wrongPassword");
		setAccountFailure(failure);
		if (!failure) return enter();
		setBusy(null);
	};
	const hasToken = token.trim().length > 0;
	const hint = hasToken ? (token === given ? t("tokenGiven") : undefined) : t(remembered ? "tokenRemembered" : "tokenHint");
	return (
		<div className="mt-5 grid gap-6">
			{demo.length > 0 && (
				<section aria-labelledby="demo-heading">
					<h2 id="demo-heading" className="font-semibold">
						{t("demo")}
					</h2>
					<Field className="mt-2" label={t("token")} hint={hint} error={demoFailure && t(`failure.${demoFailure}`)}>
						<Input value={token} onChange={(event) => setToken(event.target.value)} autoComplete="off" spellCheck={false} className="font-mono" />
					</Field>
					<ul className="mt-3 border-line border-t">
						{demo.map((person) => (
							<li key={person.persona} className="relative flex items-center gap-2.5 border-line border-b py-2 has-[button:enabled]:hover:bg-hover">
								<PersonAvatar name={person.name} />
								<span className="min-w-0 flex-1">
									<Words className="block truncate font-semibold">{person.name}</Words>
									<span className="block text-12 text-ink-2">{t(`does.${person.persona}`)}</span>
								</span>
								<Button
									className="after:absolute after:inset-0" // the whole row is the button
									disabled={!(hasToken || remembered) || (busy !== null && busy !== person.persona)}
									busy={busy === person.persona}
									onClick={() => void asDemo(person.persona)}
									aria-label={t("enterAsName", { name: person.name, role: c(`role.${person.persona}`) })}
								>
									{t("enterAs", { role: c(`role.${person.persona}`) })}
								</Button>
							</li>
						))}
					</ul>
				</section>
			)}
			<section aria-labelledby="account-heading">
				<h2 id="account-heading" className="font-semibold">
					{t("account")}
				</h2>
				<form className="mt-2 grid gap-3" onSubmit={(event) => void asAccount(event)}>
					<Field label={t("email")} required>
						<Input type="email" name="email" autoComplete="username" required value={email} onChange={(event) => setEmail(event.target.value)} />
					</Field>
					<Field label={t("password")} required error={accountFailure && t(`failure.${accountFailure}`)}>
						<Input
							type="password"
							name="password"
							autoComplete="current-password"
							required
							value={password}
							onChange={(event) => setPassword(event.target.value)}
						/>
					</Field>
					<Button type="submit" variant={demo.length > 0 ? "outline" : "solid"} busy={busy === "account"} disabled={busy !== null}>
						{t("signIn")}
					</Button>
				</form>
			</section>
		</div>
	);
}
