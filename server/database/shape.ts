/**
 * What every stored document of a collection has. A flipped bit in a key leaves valid JSON, and one such row in a list
 * would end the whole list. A document without its shape is damaged like one that is no JSON.
 */
type Check = (value: unknown) => boolean;

/** The compiler asks for each field of the document. Optional ones are checked where they are there. */
export type Shape<Document> = { readonly [Field in keyof Required<Omit<Document, "_id">>]: Check | Optional };

/** As an engine has it. */
export type AnyShape = Readonly<Record<string, Check | Optional>>;

export interface Optional {
  readonly ifThere: Check;
}

export const text: Check = (value) => typeof value === "string";
export const number: Check = (value) => typeof value === "number";
export const flag: Check = (value) => typeof value === "boolean";
export const list: Check = Array.isArray;
export const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** A day or a moment. */
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
    // each document that is read comes through here: no iterator
    for (let at = 0; at < names.length; at++)
      if (!checks[at]?.((value as Record<string, unknown>)[names[at] ?? ""])) return false;
    return true;
  };
}

const orUndefined =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** @param shown the fields that were read; all of them if it is not given */
export function shapeCheck(shape: AnyShape | undefined, shown?: (field: string) => boolean): Check {
  const entries = Object.entries(shape ?? {});
  return fields(Object.fromEntries(shown === undefined ? entries : entries.filter(([field]) => shown(field))));
}
