/** Inclusion or exclusion of top-level fields. */
import type { Projection } from "../port.ts";
/** @returns a new object whose values are shared with the (frozen) document; the document itself without a projection */
export declare function project(document: object, projection: Projection | undefined): Record<string, unknown>;
