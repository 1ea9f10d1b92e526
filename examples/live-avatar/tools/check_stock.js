/** How many of a product, or of one of its variants, are left, and when a sold-out one is back. */
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

const plain = (value) => String(value).toLowerCase().replace(/\s+/g, "");

export default {
  run({ args, world, room }) {
    const p = find(world, room, args.product);
    if (!p) throw new Error(`没有找到商品：${args.product}`);
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
