/** Defines checks of fields that several shapes use, or that are long. */
import { defaultSettings } from "#core/companies/settings.ts";
import { listedFields, type SopSummary } from "#core/sop-fields.ts";
import {
  fieldsCheck,
  booleanCheck,
  anyArrayCheck,
  arrayCheck,
  numberCheck,
  objectCheck,
  optionalCheck,
  nullableCheck,
  stringCheck,
  timeCheck,
  anyValueCheck,
} from "./shape.ts";
import type { DocumentShape } from "./shape.ts";

export const [texts, maybeText, maybeTime, maybeNumber] = [
  arrayCheck(stringCheck),
  nullableCheck(stringCheck),
  nullableCheck(timeCheck),
  nullableCheck(numberCheck),
] as const;
export const datedChecks = { createdAt: timeCheck, updatedAt: timeCheck };
export const searchKeyChecks = { nameKey: stringCheck, words: texts };
export const companyId = stringCheck;
export const personCheck = fieldsCheck({ id: stringCheck, name: stringCheck });
/** Checks the company's settings. Settings that were added later are optional, because older companies lack them. */
export const settings = fieldsCheck(
  Object.fromEntries(
    Object.entries(defaultSettings).map(([name, value]) => [name, optionalCheck(checkSettingLike(value))] as const),
  ),
);

function checkSettingLike(value: unknown) {
  if (value === null) return anyValueCheck;
  if (Array.isArray(value)) return anyArrayCheck;
  if (typeof value === "object") return objectCheck;
  return typeof value === "number" ? maybeNumber : (one: unknown) => typeof one === typeof value;
}

const kinds = {
  line: stringCheck,
  text: maybeText,
  relation: maybeText,
  day: maybeTime,
  tags: texts,
  minutes: numberCheck,
  flag: booleanCheck,
};
export const summary = Object.fromEntries(
  listedFields.map((row) => [row.name, "later" in row ? optionalCheck(kinds[row.kind]) : kinds[row.kind]]),
) as DocumentShape<SopSummary>;
export const published = {
  ...summary,
  version: numberCheck,
  contentHash: stringCheck,
  effectiveAt: timeCheck,
  categoryId: maybeText,
  updatedAt: timeCheck,
  assets: texts,
  linksTo: optionalCheck(texts),
  approvals: optionalCheck(arrayCheck(objectCheck)),
  changeClass: optionalCheck(stringCheck),
  changeNote: optionalCheck(maybeText),
};
const place = fieldsCheck({ path: maybeText, version: numberCheck, mainPath: maybeText, mainVersion: maybeNumber });
export const repositoryItemCheck = fieldsCheck({
  sopId: stringCheck,
  version: numberCheck,
  number: numberCheck,
  label: optionalCheck(stringCheck),
  title: stringCheck,
  contentHash: stringCheck,
  assets: optionalCheck(texts),
  inForce: optionalCheck(fieldsCheck({ title: stringCheck, contentHash: stringCheck })),
  before: nullableCheck(place),
  after: nullableCheck(place),
});
export const categoryEntryCheck = fieldsCheck({
  slug: stringCheck,
  name: stringCheck,
  color: stringCheck,
  order: numberCheck,
  parent: optionalCheck(stringCheck),
});
