import { z } from "zod";
import { AppError } from "@/server/kernel/errors";
import type { Session } from "../session";
import { type CommandResult, progress } from "./output";

function requireEmail(email: string): void {
	if (z.email().max(320).safeParse(email).success) return;
	throw new AppError("bad-input", `"${email.slice(0, 80)}" is not an e-mail address.`, {
		reason: "person-email-invalid",
		params: { email: email.slice(0, 80) },
		fix: "Give the address that the person will sign in with, e.g. you@example.com.",
	});
}

/**
 * `create-admin EMAIL`: the first admin of every workspace; prints a one-time password, which is kept only as a hash. Someone
 * who has an account keeps its password; `--reset` makes a new one for them and leaves their roles as they are.
 */
export async function createAdmin(session: Session, email: string, options: { name: string; reset: boolean }): Promise<CommandResult> {
	requireEmail(email);
	const { auth, workspace } = session.services;
	if (options.reset) {
		const { initialPassword } = await auth.resetPasswordByEmail(email);
		return { document: { email, existed: true, password: initialPassword } };
	}
	const workspaces = await workspace.list();
	if (workspaces.length === 0)
		throw new AppError("precondition", "There is no workspace yet.", { reason: "no-workspace", fix: "Start the studio once, or use create-workspace." });
	let password: string | null = null;
	for (const { id } of workspaces) {
		const { initialPassword } = await auth.createFirstAdmin(id, { email, name: options.name.trim() || "Admin" });
		password ??= initialPassword;
	}
	const existed = password === null;
	if (existed) progress(`${email} exists already, is an admin and keeps the password; a new one: create-admin ${email} --reset`);
	return { document: { email, existed, password, workspaces: workspaces.map((one) => one.slug) } };
}
