/** Where a product ships from, with whom, how soon, and what it costs and takes to a region. */
const locate = (world, text) => {
  const said = String(text ?? "");
  return said && Object.values(world.regions).find((r) => said.includes(r.name) || r.cities.some((city) => said.includes(city)));
};

export default {
  run({ args, world, room }) {
    const p = productOf(args, world, room);
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
