import type { z } from "zod";
import type { RouteTable } from "./route.ts";

/** The schemas of a route. `params`, `query` and `body` are parsed strictly; `output` defines the answer's fields. */
export interface RouteSchema {
  /** The purpose of the call, for the OpenAPI document. */
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** `null` for streams, files and 204. */
  readonly output: z.ZodType | null;
}

/** The schemas of a table of routes. A missing schema is a compile error. */
export type SchemaTable<Routes extends RouteTable> = {
  readonly [Group in keyof Routes]: { readonly [Name in keyof Routes[Group]]: RouteSchema };
};

/** Returns the group unchanged, with the literal types of its schemas. */
export function schemaGroup<const G extends Readonly<Record<string, RouteSchema>>>(group: G): G {
  return group;
}
