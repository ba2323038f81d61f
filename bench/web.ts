/**
 * `npm run bench -- web`: sizes against the budgets that fail the build, and times in a real Chromium with a slow
 * machine and line (`bench/README.md`). A part is one of the names below.
 */
import type { Figure } from "./figure.ts";
import { fromTests } from "./proof.ts";
import { editor } from "./web-editor.ts";
import { list } from "./web-list.ts";
import { load } from "./web-load.ts";
import { openSite, type WebSite } from "./web-site.ts";
import { run as size } from "./web-size.ts";
import { typing } from "./web-typing.ts";
import { use } from "./web-use.ts";

/** Measured on one site, which is created for the first of them. */
const onSite: Readonly<Record<string, (site: WebSite) => AsyncGenerator<Figure>>> = { load, use, list, editor, typing };
const alone: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  size,
  roundtrip: () => fromTests("test/journeys/round-trip.test.ts"),
};

export async function* run(parts: readonly string[] = []): AsyncGenerator<Figure> {
  const all = [...Object.keys(alone), ...Object.keys(onSite)];
  const unknown = parts.filter((part) => !all.includes(part));
  if (unknown.length > 0) throw new Error(`bench web has no ${unknown.join(", ")}: choose from ${all.join(", ")}`);
  const wanted = (name: string) => parts.length === 0 || parts.includes(name);
  for (const [name, part] of Object.entries(alone)) if (wanted(name)) yield* await part();
  const chosen = Object.entries(onSite).filter(([name]) => wanted(name));
  if (chosen.length === 0) return;
  const site = await openSite();
  try {
    for (const [, part] of chosen) yield* part(site);
  } finally {
    await site.stop();
  }
}

if (import.meta.main) for await (const figure of run(process.argv.slice(2))) console.log(JSON.stringify(figure));
