/** Service identities: who acts when no person does. Apart from the schemas, so that a page can name them without loading Zod. */
export const SERVICE_ACTORS = {
	system: { id: "service:system", name: "Studio" },
	loopEditor: { id: "service:loop-editor", name: "Unattended loop (editor)" },
	loopReviewer: { id: "service:loop-reviewer", name: "Unattended loop (reviewer)" },
	trigger: { id: "service:trigger", name: "Trigger" },
} as const satisfies Record<string, { id: string; name: string }>;
