/** Readable names and values of an audit entry's fields. */
import { actionDescriptions } from "#core/permissions/action-descriptions.ts";
import { roleLabel, roles } from "#core/permissions/roles.ts";
import { dateTimeText } from "../ui/time.ts";
import type { NameOf } from "./audit-row.ts";
import { fieldText, texts, wordsOf } from "./texts.ts";

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const grantee = /^(user|team):(.+)$/;

/** `["settings", "approvalRule"]` → 'Settings › Approval rule'; a grant's `user:<id>` → the person's name. */
export function pathText(path: readonly string[], nameOf: NameOf): string {
  return path
    .map((part) => {
      const [, kind = "", id = ""] = grantee.exec(part) ?? [];
      return id === "" ? fieldText(part) : (nameOf(id) ?? fieldText(kind));
    })
    .join(" › ");
}

/** @param field the value's field; some fields have their own names for values */
export function valueText(value: unknown, nameOf: NameOf, field = ""): string {
  if (value === null || value === undefined || value === "") return texts.blank;
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  if (Array.isArray(value))
    return value.length === 0 ? texts.blank : value.map((one) => valueText(one, nameOf)).join(", ");
  if (typeof value !== "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  const known =
    wordsOf(field)[value] ?? nameOf(value) ?? (actionDescriptions as Readonly<Record<string, string>>)[value];
  if (known !== undefined) return known;
  if (roles.some((role) => role === value)) return roleLabel(value);
  return moment.test(value) ? dateTimeText(value) : value;
}
