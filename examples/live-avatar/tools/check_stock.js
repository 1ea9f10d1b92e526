/** How many of a product, or of one of its variants, are left, and when a sold-out one is back. */
const plain = (value) => String(value).toLowerCase().replace(/\s+/g, "");

export default {
  run({ args, world, room }) {
    const p = productOf(args, world, room);
    const { total, variants, restockAt, limitPerViewer } = world.stock[p.id];
    const names = Object.keys(variants);
    const asked = args.variant ? plain(args.variant) : "";
    const exact = names.find((name) => plain(name) === asked);
    // Of several variants inside one sentence the longest is meant: 2XL, not XL.
    const variant = asked ? (exact ?? names.filter((name) => asked.includes(plain(name))).sort((a, b) => b.length - a.length)[0] ?? names.find((name) => plain(name).includes(asked))) : undefined;
    const available = names.filter((name) => variants[name] > 0);
    const soldOut = names.filter((name) => variants[name] === 0);
    const stock = variant ? variants[variant] : total;
    const day = restockAt[variant ?? soldOut[0]];
    const restockText = day ? `${Number(day.slice(5, 7))}月${Number(day.slice(8, 10))}日补货` : "暂时没有补货时间";
    return {
      productId: p.id,
      title: p.title,
      shortTitle: p.shortTitle,
      ...(variant && { variant }),
      ...(asked && !variant && { unknownVariant: args.variant }),
      stock,
      inStock: stock > 0,
      ...(available.length > 0 && { availableText: available.join("、") }),
      ...(soldOut.length > 0 && { soldOutText: soldOut.join("、"), restockText }),
      ...(day && { restockAt: day }),
      limitPerViewer,
    };
  },
};
