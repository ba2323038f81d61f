/** From the dotted path of a document to the SQL expression of its value. */
export declare function quoted(name: string): string;
export declare function literal(value: string | number | boolean): string;
export declare function isTranslatable(path: string): boolean;
/** Text or number of the value; true is 1, false is 0; null and missing are NULL; an object or array is its JSON text. */
export declare function valueOf(path: string): string;
/** 'null' for an explicit null, NULL for a missing value. */
export declare function typeOf(path: string): string;
