/** Products of the room's list that fit a need: by words, kind and the most that the viewer wants to spend. */
const score = (p, query) => {
  let points = 0;
  for (const name of [p.title, p.shortTitle, p.kindName, ...p.aliases]) if (query.includes(name.toLowerCase())) points += 3;
  const about = [p.title, p.kindName, ...p.aliases, ...p.highlights, ...p.suitableFor].join(" ").toLowerCase();
  const grams = new Set(Array.from({ length: Math.max(0, query.length - 1) }, (_, i) => query.slice(i, i + 2)));
  for (const gram of grams) if (/^[一-龥a-z]{2}$/.test(gram) && about.includes(gram)) points += 1;
  return points;
};

export default {
  run({ args, world }) {
    const query = String(args.query ?? "").trim().toLowerCase();
    const most = Number(args.maxPrice ?? query.match(/(\d+)\s*[元块](?:钱)?(?:以内|以下|内|左右)/)?.[1]);
    const limit = most > 0 ? most : Number.POSITIVE_INFINITY;
    const found = Object.values(world.products)
      .filter((p) => p.price <= limit && (!args.kind || p.kind === args.kind || p.kindName.includes(String(args.kind))))
      .map((p) => ({ p, points: query ? score(p, query) : 1 }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points || a.p.link - b.p.link)
      .slice(0, 3)
      .map(({ p }) => p);
    const [first, second] = found;
    const items = found.map((p) => ({ link: p.link, title: p.title, price: p.price, suitableText: p.suitableFor.join("、"), highlightsText: p.highlights.join("、") }));
    if (!first) return { count: 0, items };
    return {
      count: items.length,
      items,
      firstLink: first.link,
      firstTitle: first.title,
      firstPrice: first.price,
      firstSuitable: first.suitableFor.join("、"),
      firstHighlight: first.highlights[0],
      ...(second && { secondLink: second.link, secondTitle: second.title, secondPrice: second.price, secondSuitable: second.suitableFor.join("、"), secondHighlight: second.highlights[0] }),
      listText: items.map((item) => `${item.link}号${item.title}${item.price}元`).join("，"),
    };
  },
};
