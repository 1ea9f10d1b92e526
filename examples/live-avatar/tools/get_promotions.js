/** The coupon or gift of a product at this moment and for this viewer's level, and the next one. */
const spoken = (at, now) => {
  const [, month, day, time] = at.match(/-(\d\d)-(\d\d)T(\d\d:\d\d)/);
  return at.slice(0, 10) === now.slice(0, 10) ? `今天${time}` : `${Number(month)}月${Number(day)}日${time}`;
};

export default {
  run({ args, world, room }) {
    const p = productOf(args, world, room);
    const { now, viewer } = room;
    const level = Number(viewer?.level ?? 0);
    const mine = Object.values(world.promotions).filter((m) => m.products.includes(p.id));
    const open = mine.filter((m) => m.startsAt <= now && now <= m.endsAt);
    const best = open.filter((m) => m.viewerLevel <= level).sort((a, b) => b.couponAmount - a.couponAmount)[0];
    const locked = open.filter((m) => m.viewerLevel > level).sort((a, b) => a.viewerLevel - b.viewerLevel)[0];
    const next = mine.filter((m) => m.startsAt > now).sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1))[0];
    const base = { productId: p.id, title: p.title, shortTitle: p.shortTitle, price: p.price, listPrice: p.listPrice, viewerLevel: level, hasPromotion: Boolean(best) };
    const coupon = best && {
      promotionId: best.id, promotionTitle: best.title, ...(best.variant && { variant: best.variant }), quantity: best.quantity, totalPrice: best.price, finalPrice: best.finalPrice,
      ...(best.couponAmount > 0 && { couponAmount: best.couponAmount, threshold: best.threshold }),
      ...(best.gift && { gift: best.gift }), endsAt: best.endsAt, endsText: spoken(best.endsAt, now), limitPerViewer: best.limitPerViewer,
    };
    const count = best?.quantity > 1 ? `${best.quantity}件` : "";
    const offerText = best
      ? best.couponAmount > 0 ? `领${best.couponAmount}元券，${count}到手${best.finalPrice}元` : `${best.finalPrice}元，送${best.gift}`
      : `现在没有优惠券，价格${p.price}元`;
    return {
      ...base, ...coupon, offerText,
      ...(locked && { memberLevel: locked.viewerLevel, memberName: world.policies.membership.levels[locked.viewerLevel], memberCouponAmount: locked.couponAmount, memberFinalPrice: locked.finalPrice }),
      ...(next && { nextCouponAmount: next.couponAmount, nextFinalPrice: next.finalPrice, nextStartsAt: next.startsAt, nextStartsText: spoken(next.startsAt, now) }),
    };
  },
};
