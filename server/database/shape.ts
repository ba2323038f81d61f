/**
 * The fields that every stored document of a collection has. A flipped bit in a key leaves valid JSON, and such a row
 * would make a whole list fail. So a document without its shape counts as damaged, like a document that isn't JSON.
 */
type ValueCheck = (value: unknown) => boolean;

/** The shape of a document type. The compiler requires each field. Optional fields are checked if they are present. */
export type DocumentShape<Document> = {
  readonly [Field in keyof Required<Omit<Document, "_id">>]: ValueCheck | OptionalField;
};

/** A shape without its document type, for the engines. */
export type AnyShape = Readonly<Record<string, ValueCheck | OptionalField>>;

export interface OptionalField {
  readonly ifThere: ValueCheck;
}

export const stringCheck: ValueCheck = (value) => typeof value === "string";
export const numberCheck: ValueCheck = (value) => typeof value === "number";
export const booleanCheck: ValueCheck = (value) => typeof value === "boolean";
export const anyArrayCheck: ValueCheck = Array.isArray;
export const objectCheck: ValueCheck = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** Checks a day or a moment. */
export const timeCheck: ValueCheck = (value) => typeof value === "string" && moment.test(value);
const moment = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d|$)/;
export const anyValueCheck: ValueCheck = () => true;

export const nullableCheck =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === null || check(value);
export const arrayCheck =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const optionalCheck = (ifThere: ValueCheck): OptionalField => ({ ifThere });

export function fieldsCheck(shape: AnyShape): ValueCheck {
  const names = Object.keys(shape);
  const checks = Object.values(shape).map((one) => (typeof one === "function" ? one : undefinableCheck(one.ifThere)));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    // an index loop, because each document that is read passes here
    for (let at = 0; at < names.length; at++)
      if (!checks[at]?.((value as Record<string, unknown>)[names[at] ?? ""])) return false;
    return true;
  };
}

const undefinableCheck =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === undefined || check(value);

/** @param shown says which fields were read; all of them by default */
export function shapeCheck(shape: AnyShape | undefined, shown?: (field: string) => boolean): ValueCheck {
  const entries = Object.entries(shape ?? {});
  return fieldsCheck(Object.fromEntries(shown === undefined ? entries : entries.filter(([field]) => shown(field))));
}
