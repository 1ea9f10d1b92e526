"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useWorkspace } from "@/components/layout/workspace-context";
import { useTRPC } from "@/components/trpc/client";
import { SideSection } from "@/components/ui/page";
import { Skeleton } from "@/components/ui/status";
import type { Advice } from "@/server/training/contract";
import { ADVICE_TONE, useAdviceSentence, useSignWords } from "./advice-words";

function Body({ advice }: { advice: Advice }) {
	const t = useTranslations("training.advice");
	const { path } = useWorkspace();
	const say = useSignWords(advice);
	const sentence = useAdviceSentence();
	return (
		<>
			<p className={`font-semibold text-13 ${ADVICE_TONE[advice.state]}`}>{sentence(advice)}</p>
			<ul className="mt-1 grid gap-1 text-ink-2">
				{advice.signs.map((sign) => (
					<li key={sign}>{say(sign)}</li>
				))}
			</ul>
			<p className="mt-1.5">
				<Link href={path("training")} className="link">
					{t("open")}
				</Link>
			</p>
		</>
	);
}

/** Edit or retrain?, beside the curve. */
export function AdviceSide() {
	const t = useTranslations("training.advice");
	const trpc = useTRPC();
	const { slug } = useWorkspace();
	const { data } = useQuery(trpc.training.advice.queryOptions({ workspace: slug }, { staleTime: 30_000 }));
	return <SideSection title={t("title")}>{data ? <Body advice={data.now} /> : <Skeleton className="h-10 w-full" />}</SideSection>;
}
