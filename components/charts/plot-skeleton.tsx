/** The ground of the curve before it is drawn: its lines alone, for a grey trend would be read as one. */
export function PlotSkeleton() {
	return (
		<svg
			aria-hidden="true"
			viewBox="0 0 100 100"
			preserveAspectRatio="none"
			className="absolute inset-0 h-full w-full animate-pulse motion-reduce:animate-none"
		>
			{[5, 32, 58, 84].map((y) => (
				<line key={y} x1="12" x2="100" y1={y} y2={y} stroke="var(--grid)" vectorEffect="non-scaling-stroke" />
			))}
		</svg>
	);
}
