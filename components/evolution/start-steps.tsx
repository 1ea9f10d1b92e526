"use client";

import { useTranslations } from "next-intl";
import { GuardedButton } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { StepMark } from "@/components/ui/stepper";
import type { ActReason } from "./round-state";

/** The first visit: three steps to the first point, with the button that does step one. */
export function StartSteps({ reason, onStart }: { reason: ActReason | null; onStart: () => void }) {
	const t = useTranslations("evolution.start");
	const why = useTranslations("evolution.reason");
	const steps = ["evaluate", "confirm", "land"] as const;
	return (
		<ol className="max-w-[560px] py-4">
			{steps.map((step, index) => (
				<li key={step} className={cn("grid grid-cols-[24px_1fr] items-start gap-x-2.5 gap-y-2 py-2.5", index > 0 && "border-line border-t")}>
					<StepMark state={index === 0 ? "current" : "todo"} index={index} />
					<div>
						<b className={cn("block font-semibold", index > 0 && "text-ink-2")}>{t(`${step}.title`)}</b>
						<span className="block text-12 text-ink-2">{t(`${step}.text`)}</span>
						{index === 0 && (
							<div className="mt-2">
								<GuardedButton variant="solid" reason={reason && why(reason)} onClick={onStart}>
									{t("run")}
								</GuardedButton>
							</div>
						)}
					</div>
				</li>
			))}
		</ol>
	);
}
