/**
 * Checks that a stored document has the fields of its collection. A flipped bit in a key leaves valid JSON, and such a
 * document would make a whole list fail. So a document with missing or wrong fields counts as damaged, like one that
 * isn't JSON.
 */
type ValueCheck = (value: unknown) => boolean;

/**
 * The check of each field of a document type. The compiler requires all fields. Optional fields are checked if present.
 */
export type DocumentShape<Document> = {
  readonly [Field in keyof Required<Omit<Document, "_id">>]: ValueCheck | OptionalField;
};

/** A shape whose document type is unknown, as the engines use it. */
export type AnyShape = Readonly<Record<string, ValueCheck | OptionalField>>;

export interface OptionalField {
  readonly ifThere: ValueCheck;
}

export const stringCheck: ValueCheck = (value) => typeof value === "string";
export const numberCheck: ValueCheck = (value) => typeof value === "number";
export const booleanCheck: ValueCheck = (value) => typeof value === "boolean";
export const anyArrayCheck: ValueCheck = Array.isArray;
export const objectCheck: ValueCheck = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** Checks an ISO date or time. */
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
    // a loop by index is the fastest, and each document that is read is checked here
    for (let at = 0; at < names.length; at++)
      if (!checks[at]?.((value as Record<string, unknown>)[names[at] ?? ""])) return false;
    return true;
  };
}

const undefinableCheck =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === undefined || check(value);

/** Creates the check of a document. @param shown says which fields were read; all by default */
export function shapeCheck(shape: AnyShape | undefined, shown?: (field: string) => boolean): ValueCheck {
  const entries = Object.entries(shape ?? {});
  return fieldsCheck(Object.fromEntries(shown === undefined ? entries : entries.filter(([field]) => shown(field))));
}
