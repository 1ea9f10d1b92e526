/** The after-sale rule of a product and, for a topic, the store's policy on it. */
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
    const p = productOf(args, world, room);
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
