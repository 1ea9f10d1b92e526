/** The after-sale rule of a product and, for a topic, the store's policy on it. */
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

const match = (world, text) => {
  const said = String(text ?? "").toLowerCase();
  let best;
  for (const policy of Object.values(world.policies))
    for (const word of [policy.id, policy.title, ...policy.keywords])
      if (said.includes(word.toLowerCase()) && word.length > (best?.length ?? 0)) best = { policy, length: word.length };
  return best?.policy;
};

export default {
  run({ args, world, room }) {
    const p = find(world, room, args.product);
    if (!p) throw new Error(`没有找到商品：${args.product}`);
    const rule = world.aftersale[p.kind];
    const policy = match(world, args.topic);
    return {
      productId: p.id,
      title: p.title,
      shortTitle: p.shortTitle,
      returnDays: rule.returnDays,
      sevenDayNoReason: rule.sevenDayNoReason,
      returnNote: p.returnNote,
      returnConditions: rule.conditions,
      freightPayer: rule.freightPayer,
      freightInsurance: rule.freightInsurance,
      freightInsuranceText: rule.freightInsurance ? "有运费险" : "没有运费险",
      exchange: rule.exchange,
      damagedHours: rule.damagedHours,
      damagedOnArrival: rule.damagedOnArrival,
      qualityIssue: rule.qualityIssue,
      refundDays: rule.refundDays,
      warranty: rule.warranty,
      ...(p.warrantyMonths > 0 && { warrantyMonths: p.warrantyMonths }),
      ...(rule.allergy && { allergyRule: rule.allergy }),
      priceProtectionDays: p.priceProtectionDays,
      ...(policy && { policyId: policy.id, policyTitle: policy.title, policyText: policy.text }),
    };
  },
};
