/** What a product is: price, specification, materials, usage, cautions, evidence for claims. */
const find = (world, room, text) => {
  const said = String(text ?? "").trim().toLowerCase();
  if (!said || /^(当前|这个|这款|本品|current)/.test(said)) return world.products[room.link];
  const number = said.match(/^[p#]?0*(\d{1,3})(?:号)?(?:链接)?$/) ?? said.match(/(\d{1,3})\s*号/);
  const all = Object.values(world.products);
  if (number) return all.find((p) => p.link === Number(number[1]));
  let best;
  for (const p of all)
    for (const name of [p.title, p.shortTitle, ...p.aliases])
      if (said.includes(name.toLowerCase()) && name.length > (best?.length ?? 0)) best = { p, length: name.length };
  return best?.p ?? (said.length > 1 ? all.find((p) => p.title.toLowerCase().includes(said)) : undefined);
};

const text = (list, by = "、") => (Array.isArray(list) && list.length > 0 ? list.join(by) : undefined);

export default {
  run({ args, world, room }) {
    const p = find(world, room, args.product);
    if (!p) throw new Error(`没有找到商品：${args.product}`);
    const specs = Object.fromEntries(Object.entries(p.specs).map(([key, value]) => [key, Array.isArray(value) ? value.join("、") : value]));
    const result = {
      productId: p.id,
      link: p.link,
      title: p.title,
      shortTitle: p.shortTitle,
      brand: p.brand,
      kindName: p.kindName,
      price: p.price,
      listPrice: p.listPrice,
      netContent: p.netContent,
      origin: p.origin,
      variantsText: text(p.variants),
      variantPriceText: p.variantPrices && text(Object.entries(p.variantPrices).map(([name, price]) => `${name}${price}元`)),
      coloursText: text(p.colours),
      highlightsText: text(p.highlights),
      materialsText: text(p.ingredients ?? p.materials),
      freeOfText: text(p.freeOf),
      suitableText: text(p.suitableFor),
      notSuitableText: text(p.notSuitableFor),
      usageText: text(p.usage, "，"),
      cautionsText: text(p.cautions, "；"),
      claimsText: text(p.claims),
      certification: p.certification,
      shelfLife: p.shelfLife,
      warrantyMonths: p.warrantyMonths || undefined,
      pregnancyAdvice: p.pregnancyAdvice,
      sensitiveAdvice: p.sensitiveAdvice,
      returnNote: p.returnNote,
      priceProtectionDays: p.priceProtectionDays,
      specs,
    };
    return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined && value !== null));
  },
};
