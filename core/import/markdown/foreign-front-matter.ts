import { isDay } from "#core/days.ts";
import { withoutControls } from "#core/markdown/clean-text.ts";
import { addExtras, asKind, frontMatterKinds, isKnownKey, type FrontMatter } from "#core/markdown/front-matter.ts";
import { readNumber } from "#core/sops/numbers.ts";
import type { Report } from "./report.ts";

/** Our keys as other tools name them (Jekyll, Hugo, MkDocs, strongdm). Only used if our own key is absent in any case. */
const aliases: Record<string, keyof typeof frontMatterKinds> = {
  name: "title",
  summary: "description",
  language: "lang",
  effective_date: "effective",
  effectivedate: "effective",
  review_date: "review_by",
  reviewdate: "review_by",
};

const shapes: Partial<Record<keyof typeof frontMatterKinds, { test(text: string): boolean }>> = {
  sop: { test: (text: string) => readNumber(text) === text },
  id: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  effective: { test: isDay },
  review_by: { test: isDay },
  lang: /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/,
};

/**
 * The front matter of any tool in our keys. Known keys are mapped, others are kept under `x-`, and the report lists
 * both.
 */
export function mapFrontMatter(values: Record<string, unknown>, report: Report): FrontMatter {
  const front: FrontMatter = {};
  const extras: [string, unknown][] = [];
  const names = new Set(Object.keys(values).map(plainKey));
  for (const [key, written] of Object.entries(values)) {
    const value = typeof written === "string" ? withoutControls(written) : written;
    if (value !== written) report.add("control-characters", `${key}: control characters were dropped`);
    if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) continue;
    const own = ownKey(key, values, names);
    const read = own === undefined ? undefined : readAs(own, value);
    if (own === undefined || read === undefined || Object.hasOwn(front, own)) extras.push([key, value]);
    else {
      Object.assign(front, { [own]: read });
      if (own !== key) report.add("front-matter", `${key} became ${own}`);
    }
  }
  addExtras(front, extras);
  const moved = extras.filter(([key]) => !key.startsWith("x-")).map(([key]) => key);
  if (moved.length > 0) report.add("front-matter", `kept under x-: ${moved.join(", ")}`);
  return front;
}

/** `Review_by`, `Review-By` and `review by` are one key. */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/[ -]/g, "_");
}

function ownKey(
  key: string,
  values: Record<string, unknown>,
  names: ReadonlySet<string>,
): keyof typeof frontMatterKinds | undefined {
  if (isKnownKey(key)) return key;
  const name = plainKey(key);
  if (isKnownKey(name)) return Object.hasOwn(values, name) ? undefined : name;
  const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  return own !== undefined && !names.has(own) ? own : undefined;
}

function readAs(key: keyof typeof frontMatterKinds, value: unknown): unknown {
  const read = key === "satisfies" ? asRequirements(value) : asKind(frontMatterKinds[key], value);
  const shape = shapes[key];
  if (typeof read === "string") {
    const text = read.replace(/\s+/g, " ").trim();
    return text !== "" && (shape === undefined || shape.test(text)) ? text : undefined;
  }
  if (typeof read === "number" && read < 1) return undefined;
  return read;
}

/** A list, or a mapping of frameworks to their clauses: `TSC: [CC6.1]` is `TSC:CC6.1`. */
function asRequirements(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return asKind("list", value);
  const items: string[] = [];
  for (const [framework, clauses] of Object.entries(value)) {
    const list = asKind("list", clauses) as string[] | undefined;
    if (list === undefined) return undefined;
    items.push(...list.map((clause) => `${framework}:${clause.trim()}`));
  }
  return items;
}
