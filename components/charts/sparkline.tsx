/** A trend without an axis; the values stand beside it in words. Gaps stay gaps. */
export function Sparkline({
	values,
	width = 80,
	height = 18,
	className,
}: {
	values: readonly (number | null)[];
	width?: number;
	height?: number;
	className?: string;
}) {
	const known = values.filter((value) => value !== null);
	if (known.length < 2) return null;
	const low = Math.min(...known);
	const span = Math.max(...known) - low || 1;
	const x = (index: number) => 2 + (index / (values.length - 1)) * (width - 4);
	const y = (value: number) => height - 2 - ((value - low) / span) * (height - 4);
	let path = "";
	values.forEach((value, index) => {
		if (value === null) return;
		const start = index === 0 || values[index - 1] === null;
		path += `${start ? "M" : "L"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
	});
	const lastIndex = values.findLastIndex((value) => value !== null);
	const last = values[lastIndex];
	return (
		<svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className={className}>
			<path d={path} fill="none" stroke="var(--s-acc)" strokeWidth="1.5" strokeLinejoin="round" />
			{last !== null && last !== undefined && <circle cx={x(lastIndex)} cy={y(last)} r="2" fill="var(--s-acc)" />}
		</svg>
	);
}
