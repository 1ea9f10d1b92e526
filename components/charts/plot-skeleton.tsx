/** The ground of the curve before it is drawn: its lines, and two grey trends that promise nothing. */
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
			<polyline points="20,72 38,34 56,26 74,31 92,35" fill="none" stroke="var(--line)" strokeWidth="5" vectorEffect="non-scaling-stroke" />
			<polyline points="20,46 38,62 56,24 74,31 92,41" fill="none" stroke="var(--line)" strokeWidth="5" vectorEffect="non-scaling-stroke" />
		</svg>
	);
}
