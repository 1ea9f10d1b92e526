import type { CreateEndpoint, Endpoint } from "@/server/models/contract";

/** What the form of an endpoint holds while it is typed. */
export interface EndpointValues {
	name: string;
	baseUrl: string;
	model: string;
	keyKind: "keep" | "none" | "stored" | "variable";
	key: string;
	keyName: string;
	allowPrivate: boolean;
	concurrency: string;
	requestsPerMinute: string;
	tokensPerMinute: string;
	timeoutSeconds: string;
	maxRetries: string;
	maxTokens: string;
	extraBody: string;
}

export type EndpointProblem = "name" | "baseUrl" | "model" | "key" | "keyName" | "limits" | "extraBody";

/** The values of an endpoint as they are now, or those of a new one. */
export function toValues(endpoint: Endpoint | null): EndpointValues {
	const limits = endpoint?.limits;
	const text = (value: number | undefined, fallback: number) => String(value ?? fallback);
	return {
		name: endpoint?.name ?? "",
		baseUrl: endpoint?.baseUrl ?? "",
		model: endpoint?.model ?? "",
		keyKind: endpoint ? "keep" : "stored",
		key: "",
		keyName: endpoint?.key.kind === "variable" ? endpoint.key.name : "STUDIO_KEY_",
		allowPrivate: endpoint?.allowPrivate ?? false,
		concurrency: text(limits?.concurrency, 16),
		requestsPerMinute: text(limits?.requestsPerMinute, 0),
		tokensPerMinute: text(limits?.tokensPerMinute, 0),
		timeoutSeconds: text(limits && limits.timeoutMs / 1000, 60),
		maxRetries: text(limits?.maxRetries, 3),
		maxTokens: text(limits?.maxTokens, 2048),
		extraBody: endpoint && Object.keys(endpoint.extraBody).length > 0 ? JSON.stringify(endpoint.extraBody, null, 2) : "",
	};
}

function parseExtra(text: string): CreateEndpoint["extraBody"] | null {
	if (text.trim() === "") return {};
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as CreateEndpoint["extraBody"]) : null;
	} catch {
		return null;
	}
}

/** What is sent, or which fields are wrong. The server checks again and knows more (private addresses, taken names). */
export function toInput(values: EndpointValues): { input: Omit<CreateEndpoint, "workspace"> } | { problems: ReadonlySet<EndpointProblem> } {
	const problems = new Set<EndpointProblem>();
	const whole = (text: string, least: number, most: number): number => {
		const value = Number(text);
		if (text.trim() === "" || !Number.isInteger(value) || value < least || value > most) problems.add("limits");
		return value;
	};
	if (values.name.trim() === "") problems.add("name");
	if (values.model.trim() === "") problems.add("model");
	if (!/^https?:\/\/[^\s/?#]+/i.test(values.baseUrl.trim())) problems.add("baseUrl");
	if (values.keyKind === "stored" && !/^[\x21-\x7e]+$/.test(values.key.trim())) problems.add("key");
	if (values.keyKind === "variable" && !/^STUDIO_KEY_[A-Z0-9_]+$/.test(values.keyName.trim())) problems.add("keyName");
	const extraBody = parseExtra(values.extraBody);
	if (extraBody === null) problems.add("extraBody");
	const timeout = Number(values.timeoutSeconds);
	if (!(timeout >= 0.5 && timeout <= 600)) problems.add("limits");
	const limits = {
		concurrency: whole(values.concurrency, 1, 512),
		requestsPerMinute: whole(values.requestsPerMinute, 0, 1_000_000),
		tokensPerMinute: whole(values.tokensPerMinute, 0, 1_000_000_000),
		timeoutMs: Math.round(timeout * 1000),
		maxRetries: whole(values.maxRetries, 0, 10),
		maxTokens: whole(values.maxTokens, 16, 200_000),
	};
	if (problems.size > 0) return { problems };
	const key: CreateEndpoint["key"] =
		values.keyKind === "stored"
			? { kind: "stored", value: values.key.trim() }
			: values.keyKind === "variable"
				? { kind: "variable", name: values.keyName.trim() }
				: { kind: values.keyKind };
	const { name, baseUrl, model, allowPrivate } = values;
	return { input: { name: name.trim(), baseUrl: baseUrl.trim(), model: model.trim(), key, allowPrivate, extraBody: extraBody ?? {}, limits } };
}
