/**
 * The fields that every stored document of a collection has. A flipped bit in a key leaves valid JSON, and such a row
 * would make a whole list fail. So a document without its shape counts as damaged, like a document that isn't JSON.
 */
type Check = (value: unknown) => boolean;

/** The shape of a document type. The compiler requires each field. Optional fields are checked if they are present. */
export type Shape<Document> = { readonly [Field in keyof Required<Omit<Document, "_id">>]: Check | Optional };

/** A shape without its document type, for the engines. */
export type AnyShape = Readonly<Record<string, Check | Optional>>;

export interface Optional {
  readonly ifThere: Check;
}

export const text: Check = (value) => typeof value === "string";
export const number: Check = (value) => typeof value === "number";
export const flag: Check = (value) => typeof value === "boolean";
export const list: Check = Array.isArray;
export const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** Checks a day or a moment. */
export const time: Check = (value) => typeof value === "string" && moment.test(value);
const moment = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d|$)/;
export const whatever: Check = () => true;

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const optional = (ifThere: Check): Optional => ({ ifThere });

export function fields(shape: AnyShape): Check {
  const names = Object.keys(shape);
  const checks = Object.values(shape).map((one) => (typeof one === "function" ? one : orUndefined(one.ifThere)));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    // an index loop, because each document that is read passes here
    for (let at = 0; at < names.length; at++)
      if (!checks[at]?.((value as Record<string, unknown>)[names[at] ?? ""])) return false;
    return true;
  };
}

const orUndefined =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** @param shown says which fields were read; all of them by default */
export function shapeCheck(shape: AnyShape | undefined, shown?: (field: string) => boolean): Check {
  const entries = Object.entries(shape ?? {});
  return fields(Object.fromEntries(shown === undefined ? entries : entries.filter(([field]) => shown(field))));
}
