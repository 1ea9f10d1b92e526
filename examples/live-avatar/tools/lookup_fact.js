/** The value of the world at a dotted path, for the judge. */
export default {
  run({ args, world }) {
    const path = String(args.path ?? "").replace(/^world\./, "");
    if (!path) throw new Error("path 不能为空");
    let value = world;
    for (const key of path.split(".")) {
      if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) throw new Error(`没有这条事实：${path}`);
      value = value[key];
    }
    return { path, value };
  },
};
