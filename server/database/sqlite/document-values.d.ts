/** The value at a dotted path, not looking into arrays. */
export declare function at(document: unknown, path: string): unknown;
/**
 * Every value a dotted path leads to, looking into arrays of objects on the way; `undefined` stands for a path that ends early.
 * An element of an array that is not an object leads nowhere.
 */
export declare function valuesAt(document: unknown, path: string): unknown[];
