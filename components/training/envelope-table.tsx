"use client";

import { useTranslations } from "next-intl";
import { Checkbox } from "@/components/ui/choice";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/field";
import { DIMENSIONS, type Envelope, type EnvelopeProblem, isCount, MAX_COUNT, TRANSFORMS, type Transform } from "@/server/augmentation/contract";

/** On a narrow screen the name stands above its three figures. */
const GRID = "grid grid-cols-[minmax(0,1fr)_80px_80px_80px] gap-x-3 gap-y-1 max-md:grid-cols-3 max-md:[&>:first-child]:col-span-3";

export type Dimension = keyof typeof TRANSFORMS;

/** The envelope with one transform changed. */
export function withTransform(envelope: Envelope, dimension: Dimension, transform: string, change: Partial<Transform>): Envelope {
	const before = (envelope[dimension] as Record<string, Transform>)[transform] as Transform;
	return { ...envelope, [dimension]: { ...envelope[dimension], [transform]: { ...before, ...change } } };
}

interface RowProps {
	envelope: Envelope;
	dimension: Dimension;
	transform: string;
	problems: readonly EnvelopeProblem[];
	editable: boolean;
	onChange: (envelope: Envelope) => void;
}

function Row({ envelope, dimension, transform, problems, editable, onChange }: RowProps) {
	const t = useTranslations("variants");
	const value = (envelope[dimension] as Record<string, Transform>)[transform] as Transform;
	const name = t(`transform.${dimension}.${transform}` as Parameters<typeof t>[0]);
	const set = (change: Partial<Transform>) => onChange(withTransform(envelope, dimension, transform, change));
	const count = isCount(dimension, transform);
	const number = (column: "likelihood" | "min" | "max", current: number, write: (next: number) => void) => (
		<Input
			type="number"
			step={count && column !== "likelihood" ? 1 : 0.05}
			min={0}
			max={count && column !== "likelihood" ? MAX_COUNT : 1}
			aria-label={t("field", { transform: name, column: t(`column.${column}`) })}
			value={current}
			disabled={!editable || !value.allowed}
			onChange={(event) => !Number.isNaN(event.target.valueAsNumber) && write(event.target.valueAsNumber)}
			className="w-20 tabular-nums max-md:w-full"
		/>
	);
	return (
		<li className="grid gap-1">
			<div className={cn(GRID, "items-center")}>
				<Checkbox checked={value.allowed} disabled={!editable} onCheckedChange={(allowed) => set({ allowed })} label={name} />
				{number("likelihood", value.likelihood, (likelihood) => set({ likelihood }))}
				{number("min", value.strength.min, (min) => set({ strength: { ...value.strength, min } }))}
				{number("max", value.strength.max, (max) => set({ strength: { ...value.strength, max } }))}
			</div>
			{problems.map(({ rule }) => (
				<p key={rule} role="alert" className="text-12 text-down">
					{t(`problem.${rule}`, { most: MAX_COUNT })}
				</p>
			))}
		</li>
	);
}

/** All transforms with their likelihood and strength; what is impossible is said beside it. */
export function EnvelopeTable({
	envelope,
	problems,
	editable,
	onChange,
}: {
	envelope: Envelope;
	problems: readonly EnvelopeProblem[];
	editable: boolean;
	onChange: (envelope: Envelope) => void;
}) {
	const t = useTranslations("variants");
	return (
		<>
			{DIMENSIONS.map((dimension) => (
				<section key={dimension} className="mt-4 first:mt-0">
					<div className={cn(GRID, "mb-1 items-baseline text-12 text-ink-3")}>
						<h2 className="font-semibold text-13 text-ink">{t(`dimension.${dimension}`)}</h2>
						<span>{t("column.likelihood")}</span>
						<span>{t("column.min")}</span>
						<span>{t("column.max")}</span>
					</div>
					<ul className="grid gap-1.5 max-md:gap-3">
						{TRANSFORMS[dimension].map((transform) => (
							<Row
								key={transform}
								envelope={envelope}
								dimension={dimension}
								transform={transform}
								problems={problems.filter((problem) => problem.dimension === dimension && problem.transform === transform)}
								editable={editable}
								onChange={onChange}
							/>
						))}
					</ul>
				</section>
			))}
		</>
	);
}
