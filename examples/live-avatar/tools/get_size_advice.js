/** The size that fits what the viewer says of height, weight, foot or bed. */
const read = (args) => {
  const said = String(args.text ?? "");
  const metres = said.match(/1[米m](\d{1,2})(?!\d)/i);
  const height = args.heightCm ?? said.match(/(1[4-9]\d|20\d)\s*(?:cm|厘米|公分|高|的?身高|,|，|\s|$)/i)?.[1] ?? (metres && 100 + Number(metres[1].padEnd(2, "0")));
  const kg = args.weightKg ?? said.match(/(\d{2,3})\s*(?:kg|公斤)/i)?.[1];
  const jin = args.weightJin ?? said.match(/(\d{2,3})\s*斤(?!公)/)?.[1] ?? (kg && Number(kg) * 2);
  const foot = args.footMm ?? said.match(/(2[2-9]\d)/)?.[1] ?? (said.match(/脚长\D*(2\d(?:\.\d)?)/)?.[1] ?? 0) * 10;
  const bed = args.bedWidthCm ?? said.match(/(1[258]0)/)?.[1] ?? (said.match(/(1\.[258])/)?.[1] ?? 0) * 100;
  return { height: Number(height) || 0, jin: Number(jin) || 0, foot: Number(foot) || 0, bed: Math.round(Number(bed)) || 0 };
};
const inside = (range, value) => !range || !value || (value >= range[0] && value <= range[1]);

export default {
  run({ args, world, room }) {
    const p = productOf(args, world, room);
    const table = world.sizes[p.id];
    const base = { productId: p.id, title: p.title, shortTitle: p.shortTitle, sizesText: p.variants.join("、") };
    if (!table) return { ...base, found: false, advice: "这款不分尺码" };
    const { height, jin, foot, bed } = read(args);
    const rows = Object.entries(table.rows);
    const said = table.basis === "foot-length" ? foot : table.basis === "bed" ? bed : table.basis === "height" ? height : height || jin;
    if (!said) return { ...base, found: false, advice: table.advice, needText: { "foot-length": "脚长", bed: "床宽", height: "身高" }[table.basis] ?? "身高和体重" };
    // Height and weight may point to different rows: weight decides, as the waist follows it.
    const fits = rows.filter(([, r]) => (table.basis === "foot-length" ? r.footMm >= foot : table.basis === "bed" ? r.bedWidthCm === bed : inside(r.weightJin, jin) && (jin > 0 && r.weightJin ? true : inside(r.heightCm, height))));
    if (fits.length === 0) return { ...base, found: false, advice: "没有合适的尺码，不建议下单" };
    const [size, row] = table.basis === "height-weight" && jin > 0 ? (fits.find(([, r]) => inside(r.heightCm, height)) ?? fits[fits.length - 1]) : fits[0];
    return { ...base, found: true, size, advice: table.advice, ...(row.waistCm && { waistCm: row.waistCm }), ...(row.chestCm && { chestCm: row.chestCm }), ...(row.footMm && { footMm: row.footMm }), ...(row.quiltCover && { quiltCover: row.quiltCover, sheet: row.sheet }) };
  },
};
