/** Where to go after signing in: a path of this studio. Anything that a browser could read as another site becomes the start. */
export function safeNext(next: string | undefined): string {
	if (!next?.startsWith("/")) return "/";
	// "//host" and "/\host" are other sites to a browser; control characters are dropped by it before it reads the path.
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
	if (/^\/[/\\]|[\u0000-\u001f\\]/.test(next)) return "/";
	return next.startsWith("/sign-in") || next.startsWith("/api/") ? "/" : next;
}
