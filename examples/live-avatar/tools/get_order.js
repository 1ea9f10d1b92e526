/** An order of this viewer: status, parcel, expected day, refund. Orders of other viewers stay closed. */
const spoken = (at) => (at ? `${Number(at.slice(5, 7))}月${Number(at.slice(8, 10))}日` : undefined);

export default {
  run({ args, world, room }) {
    const mine = room.viewer?.orders ?? [];
    const asked = String(args.orderId ?? "").match(/o?\d{4}/i)?.[0].toLowerCase().replace(/^(?=\d)/, "o");
    if (asked && !mine.includes(asked)) throw new Error("这个订单不属于当前观众，不能查看");
    const orders = mine.map((id) => world.orders[id]).filter(Boolean);
    // Without a number: the order of the product that the viewer names, else the newest.
    const about = String(args.product ?? "").toLowerCase();
    const named = about && orders.find((o) => {
      const p = world.products[o.product];
      return o.product === about || [p.title, p.shortTitle, ...p.aliases].some((name) => about.includes(name.toLowerCase()));
    });
    const newest = [...orders].sort((a, b) => ((a.paidAt ?? room.now) < (b.paidAt ?? room.now) ? 1 : -1))[0];
    const o = asked ? world.orders[asked] : (named || newest);
    if (!o) return { found: false, orderCount: 0, statusText: "没有查到您的订单" };
    const result = {
      found: true,
      orderCount: orders.length,
      orderId: o.id,
      productId: o.product,
      productTitle: o.productTitle,
      variant: o.variant,
      quantity: o.quantity,
      paid: o.paid,
      status: o.status,
      statusText: o.statusText,
      paidText: spoken(o.paidAt),
      shippedText: spoken(o.shippedAt),
      courier: o.shippedAt ? o.courier : undefined,
      trackingNo: o.trackingNo,
      location: o.location,
      etaText: spoken(o.eta),
      overdueHours: o.overdueHours,
      stuckDays: o.stuckDays,
      refundAmount: o.refund?.amount,
      refundStatus: o.refund?.status,
      refundExpectText: spoken(o.refund?.expectBy),
    };
    return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined && value !== null));
  },
};
