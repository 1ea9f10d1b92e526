// In front of every handler of this folder.

/** The product that a person means: by link number, by name, or the room's current one. */
const findProduct = (world, room, text) => {
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

/** The product of a call's arguments; its absence is told to the policy. */
const productOf = (args, world, room) => {
  const product = findProduct(world, room, args.product);
  if (!product) throw new Error(`没有找到商品：${args.product}`);
  return product;
};
