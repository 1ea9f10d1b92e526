import type { McpTool } from "@/server/harness/contract";

/** What of a property of a JSON Schema is read. */
export interface Property {
	type?: unknown;
	description?: unknown;
	enum?: unknown;
	pattern?: unknown;
	maxLength?: unknown;
}

export const VERBATIM = /原话|原文|原句|整句|verbatim|own words|free text|full (?:text|message|question)|as (?:typed|written)/iu;
export const NAME = /名称|名字|别名|\bname\b|\btitle\b|alias/iu;

/** Values that a description gives as examples. */
export function examplesOf(description: string): string[] {
	const listed = /(?:例如|比如|如：|e\.g\.|for example|such as|examples?:)\s*(.+?)(?:[；;。]|$)/iu.exec(description)?.[1] ?? "";
	return listed
		.split(/[、,，/]|\s+or\s+|\s{2,}/u)
		.map((part) => part.trim().replace(/^[“"'「]|[”"'」]$/gu, ""))
		.filter((part) => part.length > 0 && part.length <= 24);
}

/** Names that the tools' schemas give as examples of a name: what they are called says nothing about what is asked. */
export function exampleNames(tools: readonly McpTool[]): string[] {
	const names = tools.flatMap((tool) =>
		Object.values((tool.inputSchema.properties ?? {}) as Record<string, Property>).flatMap((property) => {
			const description = String(property.description ?? "");
			return NAME.test(description) && !VERBATIM.test(description)
				? examplesOf(description).filter((example) => !/\d/u.test(example) && example.length > 1)
				: [];
		}),
	);
	return [...new Set(names)];
}
