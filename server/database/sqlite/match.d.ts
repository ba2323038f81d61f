import type { Filter } from "../port.ts";
export type Predicate = (document: object) => boolean;
/** @param filter one that passed `checkFilter` */
export declare function matcher(filter: Filter): Predicate;
