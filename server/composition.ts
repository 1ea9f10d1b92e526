import type { Role } from "@/server/auth/contract";
import type { Database } from "@/server/db/client";
import type { Notifier } from "@/server/db/notifier";

/**
 * Everything that procedures, jobs and commands may use. Each domain adds its service here and wires it in
 * `createServices`: the only place where a port meets its implementation.
 */
export interface Services {
	db: Database;
	notifier: Notifier;
	auth: {
		/** The person's roles in the workspace of this slug; null when not a member. */
		findMembership(userId: string, slug: string): Promise<{ id: string; slug: string; roles: Role[] } | null>;
	};
}
