/** The part of an error that the server's formatter adds (server/trpc/init.ts), as the screen reads it. */
export interface WireError {
	reason: string;
	params: Record<string, string | number>;
	fix: string | null;
	data: unknown;
	fields: Record<string, string[]> | null;
	reference: string | null;
}
