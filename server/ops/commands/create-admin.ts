import { AppError } from "@/server/kernel/errors";
import type { Session } from "../session";
import type { CommandResult } from "./output";

/** `create-admin EMAIL`: the first admin of every workspace; prints a one-time password, which is kept only as a hash. */
export async function createAdmin(session: Session, email: string, name: string): Promise<CommandResult> {
	const workspaces = await session.services.workspace.list();
	if (workspaces.length === 0)
		throw new AppError("precondition", "There is no workspace yet.", { reason: "no-workspace", fix: "Start the studio once, or use create-workspace." });
	let password: string | null = null;
	for (const workspace of workspaces) {
		const { initialPassword } = await session.services.auth.createFirstAdmin(workspace.id, { email, name });
		password ??= initialPassword;
	}
	return { document: { email, password, workspaces: workspaces.map((workspace) => workspace.slug) } };
}
