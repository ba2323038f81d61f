/**
 * Defines types of filters, updates, sorts and projections by the fields of their documents, so that a renamed field
 * fails to compile.
 */

type Scalar = string | number | boolean;

/** The next lower number, by index: TypeScript can't subtract. */
type OneLess = [never, 0, 1, 2];

/**
 * A field name, or a dotted path of up to four names. A path through an array names a field of its elements. A record
 * allows any name.
 */
export type Path<T, Left extends number = 3> = T extends Scalar | Uint8Array
  ? never
  : T extends readonly (infer Element)[]
    ? Path<Element, Left>
    : {
        [Name in keyof T & string]: Name | (Left extends 0 ? never : `${Name}.${Path<T[Name], OneLess[Left]>}`);
      }[keyof T & string];

/** The type of the value at a path. A path into a record also matches deeper paths, so those types are included. */
export type TypeAtPath<T, P extends string> = T extends readonly (infer Element)[]
  ? TypeAtPath<Element, P>
  : P extends `${infer Name}.${infer Rest}`
    ? Name extends keyof T
      ? TypeAtPath<NonNullable<T[Name]>, Rest>
      : never
    : P extends keyof T
      ? string extends P
        ? T[P] | TypeAtPath<T[P], Path<T[P]>> | undefined
        : T[P]
      : never;

/**
 * Refuses objects whose keys can be any text, such as computed keys. The compiler would accept them, because all fields
 * are optional. No field begins with a space, but a computed key could.
 */
type NoComputedKeys = { [other: ` ${string}`]: never };

/** Creates an object with one computed key, whose type keeps the key's name. The path must have the type `Path`. */
export function fieldAtPath<P extends string, const V>(path: P, value: V): { [Name in P]?: V } {
  return { [path]: value } as { [Name in P]?: V };
}

/** The type of values to compare a field with. An array is compared by its elements. An object can't be compared. */
type Operand<V> = V extends readonly (infer Element)[]
  ? Operand<Element>
  : V extends Scalar
    ? V
    : unknown extends V
      ? Scalar
      : never;

interface ComparisonOperators<V> {
  $eq?: V;
  $ne?: V;
  $in?: readonly V[];
  $nin?: readonly V[];
  $gt?: V;
  $gte?: V;
  $lt?: V;
  $lte?: V;
}

interface Operators<V> extends ComparisonOperators<V> {
  $exists?: boolean;
  $elemMatch?: ComparisonOperators<V>;
}

export type Condition<V> = Operand<V> | null | Operators<Operand<V> | null>;

type Alternatives<T> = {
  $and?: readonly Filter<T>[];
  $or?: readonly Filter<T>[];
  $nor?: readonly Filter<T>[];
};

/**
 * MongoDB's query language with scalar operands. `undefined` is refused, so that a forgotten value can't match more
 * documents. A property test proves that both engines give the same results.
 */
export type Filter<T> = { [P in Path<T>]?: Condition<TypeAtPath<T, P>> } & Alternatives<T> & NoComputedKeys;

type ArrayElement<V> = V extends readonly (infer E)[] ? E : never;

/** Fields with their new values. */
export type Values<T> = { [P in Path<T>]?: TypeAtPath<T, P> | undefined } & NoComputedKeys;

/** Amounts by which the numbers of a document change. */
export type Increments<T> = { [P in Path<T> as number extends TypeAtPath<T, P> ? P : never]?: number };

/** MongoDB's update operators on dotted paths. An operand of a wrong type makes the whole write fail. */
export type Update<T> = {
  $set?: Values<T>;
  $setOnInsert?: Values<T>;
  $unset?: { [P in Path<T> as undefined extends TypeAtPath<T, P> ? P : never]?: "" } & NoComputedKeys;
  $inc?: Increments<T> & NoComputedKeys;
  $max?: { [P in Path<T>]?: Operand<TypeAtPath<T, P>> } & NoComputedKeys;
  $addToSet?: {
    [P in Path<T>]?: ArrayElement<TypeAtPath<T, P>> | { $each: readonly ArrayElement<TypeAtPath<T, P>>[] };
  } & NoComputedKeys;
  /** Removes array elements: those equal to the value, or the objects that match the filter. */
  $pull?: { [P in Path<T>]?: Operand<TypeAtPath<T, P>> | Filter<ArrayElement<TypeAtPath<T, P>>> } & NoComputedKeys;
} & NoComputedKeys;

type KeysOf<Given> = Given extends unknown ? keyof Given : never;

/** Forbids fields that `Type` lacks. The compiler itself finds such fields in plain object literals only. */
type NoOtherFields<Given, Type> = { [Name in Exclude<KeysOf<Given>, keyof Type>]?: never };

/** The filters inside `$and`, `$or` or `$nor`, with the types that they were given. */
type AlternativeFilter<Given, Name extends keyof Alternatives<unknown>> = Given extends {
  [Part in Name]?: readonly (infer One)[];
}
  ? One
  : never;

/** A filter without unknown fields, even if the filter comes from a variable or has conditional fields. */
export type KnownFilter<Given, T> = Given &
  NoOtherFields<Given, Filter<T>> & {
    [Name in keyof Alternatives<unknown>]?: readonly NoOtherFields<AlternativeFilter<Given, Name>, Filter<T>>[];
  };

/** A filter for generic code, where the compiler can't check the fields because it doesn't know the document type. */
export type CheckedFilter<T> = KnownFilter<Filter<T>, T>;

/** An update without unknown fields, as with `KnownFilter`. */
export type KnownUpdate<Given, T> = Given & {
  [Name in keyof Given]?: Name extends keyof Update<T>
    ? NoOtherFields<Given[Name], NonNullable<Update<T>[Name]>>
    : never;
};

export type Sort<T> = { [P in Path<T>]?: 1 | -1 } & NoComputedKeys;

/**
 * The fields to include or exclude, by name or dotted path. As in MongoDB, all values are 1 or all are 0, except that
 * of `_id`.
 */
export type Projection<T> = { [P in Path<T>]?: 0 | 1 } & NoComputedKeys;

/** `$match $sort $limit $project $group $count` only: groups by one field with `$sum`, projections of 0 and 1. */
export type Stage<T> =
  | { $match: Filter<T> }
  | { $group: { _id: `$${Path<T>}`; [sum: string]: `$${Path<T>}` | { $sum: number | `$${Path<T>}` } } }
  /** After a group, the sort can name fields of the group's result. */
  | { $sort: Record<string, 1 | -1> }
  | { $limit: number }
  | { $project: Projection<T> }
  | { $count: string };

/** A filter or update inside engines and migrations, where any field is allowed. */
export type Untyped = Record<string, unknown>;
