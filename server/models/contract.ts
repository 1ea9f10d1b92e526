import * as z from "zod";

export const EndpointRoleSchema = z.enum(["policy", "judge", "diagnosis", "editing"]);
export type EndpointRole = z.infer<typeof EndpointRoleSchema>;

export interface ChatTool {
	name: string;
	description: string;
	inputSchema: Record<string, unknown>;
}

export interface ChatToolCall {
	id: string;
	name: string;
	/** Parsed JSON, or the raw text when it was not JSON. */
	arguments: unknown;
	/** Why the call cannot be made as it stands: unknown tool, arguments that are not JSON. */
	invalid?: string;
}

export type ChatMessage =
	| { role: "user"; content: string }
	| { role: "assistant"; content: string; toolCalls: ChatToolCall[] }
	| { role: "tool"; toolCallId: string; name: string; content: string };

export interface ChatRequest {
	system: string;
	messages: ChatMessage[];
	tools?: ChatTool[];
	/** 0 (the default) asks for deterministic sampling, and only then is the response cached. */
	temperature?: number;
	seed?: number;
	maxTokens?: number;
	responseFormat?: "text" | "json";
	/** False asks the endpoint again even if the cache has the answer. */
	useCache?: boolean;
	/** Told when the request begins and ends to wait here: for the endpoint's limits, or before it is tried again. */
	onWait?: (waiting: boolean) => void;
}

export interface ChatResponse {
	content: string | null;
	toolCalls: ChatToolCall[];
	reasoning: string | null;
	usage: { prompt: number; completion: number; reasoning: number };
	finishReason: "stop" | "tool-calls" | "length" | "content-filter" | "other";
	latencyMs: number;
	cached: boolean;
	requestHash: string;
}

/**
 * One model behind an OpenAI-compatible endpoint, with its limits, retries and cache applied. Throws AppError `upstream`
 * (down, HTML, half a JSON, 4xx), `rate-limited` (retries exhausted), `timeout` or `cancelled`; never with a key in it.
 */
export interface ChatModel {
	/** `concurrency`: requests that it takes at once; more wait here. */
	describe(): { name: string; fingerprint: string; deterministic: boolean; concurrency?: number };
	complete(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse>;
}

/** What other domains need of `models`. */
export interface ModelProvider {
	/** The endpoint that plays a role in a workspace; null when none is set (then the built-in engine plays it). */
	forRole(workspaceId: string, role: EndpointRole): Promise<ChatModel | null>;
	forEndpoint(endpointId: string): Promise<ChatModel>;
}

// ---- what an admin sets ----

/** A workspace's name for something it registered; hooks, tools and logs may carry it. */
const RegisteredNameSchema = z
	.string()
	.trim()
	.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u, "Letters, digits, spaces, dots, dashes; at most 80.");

/** An http(s) address without credentials, query or fragment; trailing slashes are dropped. */
export const BaseUrlSchema = z
	.string()
	.trim()
	.max(500)
	.transform((text, context) => {
		let url: URL | null = null;
		try {
			url = new URL(text);
		} catch {
			// reported below
		}
		if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
			context.addIssue({ code: "custom", message: "An http:// or https:// address without user, query or #." });
			return z.NEVER;
		}
		return url.href.replace(/\/+$/, "");
	});

export const EndpointLimitsSchema = z.object({
	/** 0 = no limit; counted per process. */
	requestsPerMinute: z.number().int().min(0).max(1_000_000).default(0),
	tokensPerMinute: z.number().int().min(0).max(1_000_000_000).default(0),
	concurrency: z.number().int().min(1).max(512).default(16),
	timeoutMs: z.number().int().min(500).max(600_000).default(60_000),
	maxRetries: z.number().int().min(0).max(10).default(3),
	/** Reply tokens asked for when the caller names none. */
	maxTokens: z.number().int().min(16).max(200_000).default(2048),
});
export type EndpointLimits = z.infer<typeof EndpointLimitsSchema>;

const RESERVED_FIELDS = ["model", "messages", "tools", "tool_choice", "stream", "stream_options", "n", "response_format"];

/** Fields merged into every request (`temperature`, `enable_thinking`, …); null removes one that the studio would send. */
export const ExtraBodySchema = z
	.record(z.string().max(100), z.json())
	.refine((body) => !Object.keys(body).some((key) => RESERVED_FIELDS.includes(key)), { error: `May not set ${RESERVED_FIELDS.join(", ")}.` })
	.refine((body) => JSON.stringify(body).length <= 10_000, { error: "At most 10,000 characters." });

export const KeyVariableSchema = z.string().regex(/^STUDIO_KEY_[A-Z0-9_]{1,80}$/, "A variable that starts with STUDIO_KEY_.");
/** What to do with the key: keep it, have none, store a new one sealed, or read a variable of the server's environment. */
export const KeyInputSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("keep") }),
	z.object({ kind: z.literal("none") }),
	z.object({
		kind: z.literal("stored"),
		value: z
			.string()
			.trim()
			.regex(/^[\x21-\x7e]{1,1000}$/, "Printable ASCII without spaces."),
	}),
	z.object({ kind: z.literal("variable"), name: KeyVariableSchema }),
]);
export type KeyInput = z.infer<typeof KeyInputSchema>;

export const CreateEndpointSchema = z.object({
	name: RegisteredNameSchema,
	baseUrl: BaseUrlSchema.transform((url) => url.replace(/\/chat\/completions$/, "")),
	model: z.string().trim().min(1).max(200),
	key: KeyInputSchema.default({ kind: "none" }),
	extraBody: ExtraBodySchema.default({}),
	limits: EndpointLimitsSchema.prefault({}),
	allowPrivate: z.boolean().default(false),
});
export type CreateEndpoint = z.input<typeof CreateEndpointSchema>;
export const UpdateEndpointSchema = CreateEndpointSchema.extend({ id: z.string().min(1).max(80), key: KeyInputSchema.default({ kind: "keep" }) });
export type UpdateEndpoint = z.input<typeof UpdateEndpointSchema>;

/** What is told about a key; never the key. */
export const KeyStateSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("none") }),
	z.object({ kind: z.literal("stored") }),
	z.object({ kind: z.literal("variable"), name: z.string(), present: z.boolean() }),
]);

export const EndpointSchema = z.object({
	id: z.string(),
	name: z.string(),
	baseUrl: z.string(),
	model: z.string(),
	key: KeyStateSchema,
	extraBody: z.record(z.string(), z.json()),
	limits: EndpointLimitsSchema,
	allowPrivate: z.boolean(),
	/** The parts it plays here. */
	roles: z.array(EndpointRoleSchema),
	updatedAt: z.date(),
});
export type Endpoint = z.infer<typeof EndpointSchema>;

/** One step of a connection test; the first that is not ok is what is wrong. */
export const EndpointCheckSchema = z.object({
	id: z.enum(["key", "dns", "address", "tcp", "tls", "http", "json", "model", "reply", "tools"]),
	ok: z.boolean(),
	/** Slug that the screen translates (`settings.check.<reason>`). */
	reason: z.string(),
	/** Facts in the words of the machine: an address, a status, an error code. */
	detail: z.string(),
	ms: z.number().nullable(),
});
export type EndpointCheck = z.infer<typeof EndpointCheckSchema>;
export const EndpointTestSchema = z.object({
	ok: z.boolean(),
	checks: z.array(EndpointCheckSchema),
	/** Of the first answer. */
	latencyMs: z.number().nullable(),
});
export type EndpointTest = z.infer<typeof EndpointTestSchema>;

export const ConnectionKindSchema = z.enum(["http", "mcp"]);
const HeaderNameSchema = z.string().regex(/^[A-Za-z0-9-]{1,100}$/, "Letters, digits and dashes.");
const HeaderValueSchema = z.string().regex(/^[\x20-\x7e]{0,2000}$/, "Printable ASCII.");

export const CreateConnectionSchema = z.object({
	name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "Lower-case letters, digits and dashes: tools name it."),
	kind: ConnectionKindSchema,
	url: BaseUrlSchema,
	/** Sent with every call, sealed at rest; null keeps those there are. */
	headers: z.record(HeaderNameSchema, HeaderValueSchema).nullable().default({}),
	allowPrivate: z.boolean().default(false),
});
export type CreateConnection = z.input<typeof CreateConnectionSchema>;
export const UpdateConnectionSchema = CreateConnectionSchema.extend({ id: z.string().min(1).max(80) });
export type UpdateConnection = z.input<typeof UpdateConnectionSchema>;

export const ConnectionSchema = z.object({
	id: z.string(),
	name: z.string(),
	kind: ConnectionKindSchema,
	url: z.string(),
	/** Whether headers are stored; never which values. */
	hasHeaders: z.boolean(),
	allowPrivate: z.boolean(),
	updatedAt: z.date(),
});
export type Connection = z.infer<typeof ConnectionSchema>;

/** A connection with its secrets, for whoever executes tool calls; never leaves the server. */
export interface OpenConnection {
	name: string;
	kind: z.infer<typeof ConnectionKindSchema>;
	url: string;
	headers: Record<string, string>;
	allowPrivate: boolean;
}
