const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The nearest half-precision number (IEEE 754 binary16, ties to even) as 16 bits; beyond its range infinity. */
export function toHalf(value: number): number {
	float[0] = value;
	const word = bits[0] as number;
	const sign = (word >>> 16) & 0x8000;
	const magnitude = word & 0x7fffffff;
	if (magnitude > 0x7f800000) return sign | 0x7e00;
	if (magnitude >= 0x477ff000) return sign | 0x7c00;
	if (magnitude < 0x38800000) return sign | roundToEven(Math.abs(float[0] as number) * 2 ** 24);
	const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
	return sign | ((rounded - 0x38000000) >>> 13);
}

function roundToEven(value: number): number {
	const low = Math.floor(value);
	const rest = value - low;
	return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}

/** The number that 16 bits of half precision stand for. */
export function fromHalf(half: number): number {
	const sign = half & 0x8000 ? -1 : 1;
	const exponent = (half >>> 10) & 0x1f;
	const fraction = half & 0x3ff;
	if (exponent === 0) return sign * fraction * 2 ** -24;
	if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
	return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
