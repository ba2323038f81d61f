/** Parts that several shapes have, or that are long. */
import { defaultSettings } from "#core/companies/settings.ts";
import { listedFields, type SopSummary } from "#core/sop-fields.ts";
import { fields, flag, list, listOf, number, object, optional, orNull, text, time, whatever } from "./shape.ts";
import type { Shape } from "./shape.ts";

export const [texts, maybeText, maybeTime, maybeNumber] = [
  listOf(text),
  orNull(text),
  orNull(time),
  orNull(number),
] as const;
export const dated = { createdAt: time, updatedAt: time };
export const found = { nameKey: text, words: texts };
export const companyId = text;
export const person = fields({ id: text, name: text });
/** The company's settings. Older companies lack the settings that were added later. */
export const settings = fields(
  Object.fromEntries(
    Object.entries(defaultSettings).map(([name, value]) => [name, optional(settingLike(value))] as const),
  ),
);

function settingLike(value: unknown) {
  if (value === null) return whatever;
  if (Array.isArray(value)) return list;
  if (typeof value === "object") return object;
  return typeof value === "number" ? maybeNumber : (one: unknown) => typeof one === typeof value;
}

const kinds = { line: text, text: maybeText, relation: maybeText, day: maybeTime, tags: texts, minutes: number, flag };
export const summary = Object.fromEntries(
  listedFields.map((row) => [row.name, "later" in row ? optional(kinds[row.kind]) : kinds[row.kind]]),
) as Shape<SopSummary>;
export const published = {
  ...summary,
  version: number,
  contentHash: text,
  effectiveAt: time,
  categoryId: maybeText,
  updatedAt: time,
  assets: texts,
  linksTo: optional(texts),
  approvals: optional(listOf(object)),
  changeClass: optional(text),
  changeNote: optional(maybeText),
};
const place = fields({ path: maybeText, version: number, mainPath: maybeText, mainVersion: maybeNumber });
export const item = fields({
  sopId: text,
  version: number,
  number,
  label: optional(text),
  title: text,
  contentHash: text,
  assets: optional(texts),
  inForce: optional(fields({ title: text, contentHash: text })),
  before: orNull(place),
  after: orNull(place),
});
export const category = fields({ slug: text, name: text, color: text, order: number, parent: optional(text) });
