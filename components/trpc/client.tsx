"use client";

import { MutationCache, QueryCache, QueryClient, QueryClientProvider, type UseQueryResult } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import superjson from "superjson";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";
import { toastFailed } from "@/components/ui/toast";
import type { AppRouter } from "@/server/trpc/root";
import { describeError, isSignedOut, isTransient, type Translator } from "./error-text";

const context = createTRPCContext<AppRouter>();

/** `const trpc = useTRPC()`, then `useQuery(trpc.area.procedure.queryOptions(input))`. */
export const useTRPC = context.useTRPC;
/** The plain client, for calls outside of React Query (subscriptions, downloads). */
export const useTRPCClient = context.useTRPCClient;

const ENDPOINT = "/api/trpc";
/** After a fault that may pass, so often. */
const AGAIN_MS = 5_000;

function toSignIn() {
	if (window.location.pathname.startsWith("/sign-in")) return;
	const next = `${window.location.pathname}${window.location.search}`;
	window.location.assign(`/sign-in?next=${encodeURIComponent(next)}`);
}

function makeQueryClient(translator: { current: Translator }) {
	return new QueryClient({
		queryCache: new QueryCache({ onError: (error) => isSignedOut(error) && toSignIn() }),
		mutationCache: new MutationCache({
			onError: (error, _variables, _context, mutation) => {
				if (isSignedOut(error)) return toSignIn();
				if (mutation.meta?.silent) return;
				const text = describeError(error, translator.current);
				// The same refusal twice is one toast, not two.
				toastFailed(text.title, [text.fix, text.reference].filter(Boolean).join(" ") || undefined, `error-${text.reason}`);
			},
		}),
		defaultOptions: {
			queries: {
				staleTime: 15_000,
				refetchOnWindowFocus: true,
				retry: (count, error) => count < 2 && isTransient(error),
				retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4_000),
				// A page that was left open while the studio or its database was away recovers by itself.
				refetchInterval: (query) => (query.state.status === "error" && isTransient(query.state.error) ? AGAIN_MS : false),
			},
			// A mutation is never repeated by itself: it may have happened.
			mutations: { retry: false },
		},
	});
}

/** React Query and tRPC for everything below: batched calls over HTTP, subscriptions over one event stream each. */
export function TrpcProvider({ children }: { children: ReactNode }) {
	const t = useTranslations("errors");
	// The query client outlives a change of language; it reads the translator of the moment.
	const translator = useRef<Translator>(t as unknown as Translator);
	translator.current = t as unknown as Translator;
	const [queryClient] = useState(() => makeQueryClient(translator));
	const [client] = useState(() =>
		createTRPCClient<AppRouter>({
			links: [
				splitLink({
					condition: (operation) => operation.type === "subscription",
					true: httpSubscriptionLink({ url: ENDPOINT, transformer: superjson }),
					false: httpBatchLink({ url: ENDPOINT, transformer: superjson, maxURLLength: 4_000 }),
				}),
			],
		}),
	);
	return (
		<QueryClientProvider client={queryClient}>
			<context.TRPCProvider trpcClient={client} queryClient={queryClient}>
				{children}
			</context.TRPCProvider>
		</QueryClientProvider>
	);
}

/** The error of a query, in place of its content: what happened, and a button that asks again; where the workspace is gone, the way to one's others. */
export function QueryError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
	const t = useTranslations("errors");
	const c = useTranslations("common");
	const text = describeError(error, t as unknown as Translator);
	return (
		<ErrorNote
			title={text.title}
			next={text.fix}
			reference={text.reference}
			actions={
				text.reason === "workspace-unknown" ? (
					<Button asChild>
						<Link href="/">{c("yourWorkspaces")}</Link>
					</Button>
				) : (
					onRetry && <Button onClick={onRetry}>{c("retry")}</Button>
				)
			}
			className="m-6 max-w-[640px] max-md:m-4"
		/>
	);
}

/** Skeleton while a query is on its way, its error in place, or its data. Data that is already there stays through a failed refresh. */
export function QueryBoundary<T>({ query, skeleton, children }: { query: UseQueryResult<T, unknown>; skeleton: ReactNode; children: (data: T) => ReactNode }) {
	if (query.data !== undefined) return <>{children(query.data)}</>;
	if (query.isError) return <QueryError error={query.error} onRetry={() => void query.refetch()} />;
	return <>{skeleton}</>;
}
