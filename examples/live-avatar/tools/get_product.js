/** What a product is: price, specification, materials, usage, cautions, evidence for claims. */
const text = (list, by = "、") => (Array.isArray(list) && list.length > 0 ? list.join(by) : undefined);

export default {
  run({ args, world, room }) {
    const p = productOf(args, world, room);
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
