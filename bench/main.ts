/**
 * `npm run bench -- <name…>`: JSON lines `{name, value, unit, peer?, ratio?}`; without a name, all run. `proof:tenancy`
 * is one part of the proofs.
 */
import type { Figure } from "./figure.ts";

const benches: Record<
  string,
  () => Promise<{ run: (parts?: readonly string[]) => Promise<readonly Figure[]> | AsyncIterable<Figure> }>
> = {
  import: () => import("./import.ts"),
  export: () => import("./export.ts"),
  lint: () => import("./lint.ts"),
  commit: () => import("./commit.ts"),
  repository: () => import("./repository.ts"),
  list: () => import("./list.ts"),
  imperative: () => import("./imperative.ts"),
  web: () => import("./web.ts"),
  search: () => import("./search.ts"),
  hold: () => import("./hold.ts"),
  proof: () => import("./proof.ts"),
  tree: () => import("./tree.ts"),
  text: () => import("./text.ts"),
  operate: () => import("./operate.ts"),
  faithful: () => import("./faithful.ts"),
  field: () => import("./field.ts"),
  before: () => import("./before.ts"),
};

const requested = process.argv.slice(2).map((argument) => argument.split(":") as [string, ...string[]]);
const unknown = requested.filter(([name]) => !Object.hasOwn(benches, name)).map(([name]) => name);
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(", ")}: choose from ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}
/** The other parts of `hold` are in `search` and `proof`. `before` needs an older build. */
const all = Object.keys(benches)
  .filter((name) => name !== "before")
  .map((name): [string, ...string[]] => (name === "hold" ? [name, "share"] : [name]));
const toRun = requested.length > 0 ? requested : all;
for (const [name, ...parts] of toRun) {
  const bench = await benches[name]?.();
  if (!bench) continue;
  for await (const figure of await bench.run(parts)) console.log(JSON.stringify(figure));
}
