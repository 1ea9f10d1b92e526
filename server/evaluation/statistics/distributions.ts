/*
 * The few distributions that the tests and intervals need, to about 1e-10. Formulas: Abramowitz & Stegun ch. 6 and 26
 * (log-gamma by Lanczos, incomplete beta by Lentz's continued fraction as in Numerical Recipes 6.4).
 */

const LANCZOS = [
	676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905, -0.13857109526572012, 9.984369578019572e-6,
	1.5056327351493116e-7,
];

/** Natural logarithm of Γ(x), x > 0. */
export function logGamma(x: number): number {
	if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
	const z = x - 1;
	let sum = 0.9999999999998099;
	for (const [i, c] of LANCZOS.entries()) sum += c / (z + i + 1);
	const t = z + 7.5;
	return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** P(X = k) for X ~ Binomial(n, p). */
export function binomialPmf(n: number, k: number, p: number): number {
	if (p <= 0) return k === 0 ? 1 : 0;
	if (p >= 1) return k === n ? 1 : 0;
	return Math.exp(logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(p) + (n - k) * Math.log1p(-p));
}

/** P(X ≤ k) for X ~ Binomial(n, p). Adds up the shorter tail, away from the mode, until a term no longer changes the sum. */
export function binomialCdf(n: number, k: number, p: number): number {
	if (k < 0) return 0;
	if (k >= n || p <= 0) return 1;
	if (p >= 1) return 0;
	if (k >= n * p) return Math.max(0, 1 - binomialCdf(n, n - k - 1, 1 - p));
	let term = binomialPmf(n, k, p);
	let sum = term;
	for (let i = k; i > 0 && term > sum * Number.EPSILON; i--) {
		term *= (i / (n - i + 1)) * ((1 - p) / p);
		sum += term;
	}
	return Math.min(1, sum);
}

/** Quantile of the standard normal (Acklam's rational approximation with one Newton step; error below 1e-12 for 1e-9 < p < 1 − 1e-9). */
export function normalQuantile(p: number): number {
	const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239] as const;
	const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572] as const;
	const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783] as const;
	const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416] as const;
	const tail = (q: number) => (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) / ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
	let x: number;
	if (p < 0.02425) x = tail(Math.sqrt(-2 * Math.log(p)));
	else if (p > 1 - 0.02425) x = -tail(Math.sqrt(-2 * Math.log(1 - p)));
	else {
		const q = p - 0.5;
		const r = q * q;
		x = ((((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q) / (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
	}
	const error = normalCdf(x) - p;
	return x - error * Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2);
}

/** P(Z ≤ x) for a standard normal Z, through the incomplete gamma's beta cousin: the t distribution's limit is exact enough by erfc. */
export function normalCdf(x: number): number {
	// erfc by its continued fraction for large |x|, by its series for small ones.
	const z = Math.abs(x) / Math.SQRT2;
	let upper: number;
	if (z < 2) {
		let term = z;
		let sum = z;
		for (let n = 1; n < 100; n++) {
			term *= (-z * z) / n;
			sum += term / (2 * n + 1);
		}
		upper = 0.5 * (1 - (2 / Math.sqrt(Math.PI)) * sum);
	} else {
		let fraction = 0;
		for (let n = 60; n > 0; n--) fraction = n / 2 / (z + fraction);
		upper = (0.5 * Math.exp(-z * z)) / Math.sqrt(Math.PI) / (z + fraction);
	}
	return x > 0 ? 1 - upper : upper;
}

function betaFraction(a: number, b: number, x: number): number {
	const tiny = 1e-300;
	let c = 1;
	let d = 1 - ((a + b) * x) / (a + 1);
	d = 1 / (Math.abs(d) < tiny ? tiny : d);
	let h = d;
	for (let m = 1; m <= 500; m++) {
		for (const numerator of [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))]) {
			d = 1 + numerator * d;
			c = 1 + numerator / c;
			d = 1 / (Math.abs(d) < tiny ? tiny : d);
			h *= d * c;
		}
		if (Math.abs(d * c - 1) < 1e-15) break;
	}
	return h;
}

/** Regularised incomplete beta I_x(a, b). */
export function incompleteBeta(a: number, b: number, x: number): number {
	if (x <= 0) return 0;
	if (x >= 1) return 1;
	const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
	return x < (a + 1) / (a + b + 2) ? (front * betaFraction(a, b, x)) / a : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

/** Quantile of Student's t with `df` degrees of freedom, for p in (0.5, 1), by bisection on the exact distribution. */
export function tQuantile(p: number, df: number): number {
	const cdf = (t: number) => 1 - 0.5 * incompleteBeta(df / 2, 0.5, df / (df + t * t));
	let low = 0;
	let high = 1000;
	for (let i = 0; i < 80; i++) {
		const middle = (low + high) / 2;
		if (cdf(middle) < p) low = middle;
		else high = middle;
	}
	return (low + high) / 2;
}
