/** Where a product ships from, with whom, how soon, and what it costs and takes to a region. */
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

const locate = (world, text) => {
  const said = String(text ?? "");
  return said && Object.values(world.regions).find((r) => said.includes(r.name) || r.cities.some((city) => said.includes(city)));
};

export default {
  run({ args, world, room }) {
    const p = find(world, room, args.product);
    if (!p) throw new Error(`没有找到商品：${args.product}`);
    const s = world.shipping[p.id];
    const region = locate(world, args.region) || (args.region ? undefined : world.regions[room.viewer?.region]);
    const base = {
      productId: p.id,
      title: p.title,
      shortTitle: p.shortTitle,
      origin: s.origin,
      courier: s.courier,
      shipWithinHours: s.shipWithinHours,
      freeShipping: s.freeShipping,
      freeShippingRule: s.freeShippingRule,
      packaging: s.packaging,
      remoteRegionsText: s.remoteRegions.join("、"),
      noDeliverText: s.noDeliver.join("、"),
      ...(s.remoteFreight && { remoteFreight: s.remoteFreight }),
    };
    if (!region) return args.region ? { ...base, unknownRegion: args.region } : base;
    if (s.noDeliver.includes(region.name)) return { ...base, region: region.name, deliverable: false, regionText: `${region.name}暂时不发货` };
    const freight = region.remote ? s.remoteFreight : 0;
    return {
      ...base,
      region: region.name,
      deliverable: true,
      remote: region.remote,
      freight,
      days: s.daysByRegion[region.zone],
      regionText: freight > 0 ? `${region.name}要补${freight}元运费` : `${region.name}包邮`,
    };
  },
};
