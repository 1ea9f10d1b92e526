"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/notes";

/** Faults that pass without anyone's doing, by the digest that `app/caller.ts` gives them; `errors.<digest>` says each. */
const PASSING = ["database-unavailable", "disk-full"] as const;
const AGAIN_MS = 5_000;

export interface FaultProps {
	error: Error & { digest?: string };
	/** Renders what failed once more, from what the server sent last. */
	reset: () => void;
}

/**
 * A fault while a page was built: what happened, what was kept, what to do. The detail stays in the log under the digest.
 * The server is asked again when the person says so, and by itself where the fault passes by itself.
 */
export function Fault({ error, reset, children }: FaultProps & { children?: ReactNode }) {
	const t = useTranslations("shell.error");
	const e = useTranslations("errors");
	const c = useTranslations("common");
	const router = useRouter();
	const [pending, start] = useTransition();
	const passing = PASSING.find((one) => one === error.digest);
	const retry = useCallback(
		() =>
			start(() => {
				router.refresh();
				reset();
			}),
		[router, reset],
	);
	useEffect(() => {
		if (!passing) return;
		const timer = setInterval(retry, AGAIN_MS);
		return () => clearInterval(timer);
	}, [passing, retry]);
	return (
		<ErrorNote
			title={passing ? e(passing) : t("title")}
			happened={passing ? undefined : t("happened")}
			kept={t("kept")}
			next={passing ? undefined : t("next")}
			reference={passing ? undefined : error.digest}
			className="max-w-[640px]"
			actions={
				<>
					<Button variant="solid" onClick={retry} disabled={pending}>
						{c("retry")}
					</Button>
					{children}
				</>
			}
		/>
	);
}
