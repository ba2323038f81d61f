/** The contract table for the tests: every row with its schema and a name. */
import { z } from "zod";
import { fillPath, type Route } from "#core/contract/route.ts";
import { routes } from "#core/api/routes.ts";
import type { RouteSchema } from "#core/contract/schema.ts";
import { schemas } from "#core/api/schemas.ts";

export interface Row {
  /** The name of the row, such as `sops.update`. */
  name: string;
  route: Route;
  schema: RouteSchema;
}

export const rows: readonly Row[] = Object.entries(routes).flatMap(([group, table]) =>
  Object.entries(table as Record<string, Route>).map(([name, route]) => {
    const schema = (schemas as unknown as Record<string, Record<string, RouteSchema>>)[group]?.[name];
    if (!schema) throw new Error(`${group}.${name} has no schema`);
    return { name: `${group}.${name}`, route, schema };
  }),
);

export function rowNamed(name: string): Row {
  const row = rows.find((one) => one.name === name);
  if (!row) throw new Error(`the table has no row ${name}`);
  return row;
}

/** Says whether the row gets raw bytes instead of JSON. */
export const isRaw = ({ route }: Row) => route.body?.startsWith("raw-") === true;

export const isWrite = ({ route }: Row) => route.method !== "GET";

export const unknownId = "01970000-0000-7000-8000-000000000000";
const unknownHash = "0".repeat(64);

/** The row's path. Parameters without a value get unknown ids. */
export function pathOf({ route }: Row, params: Readonly<Record<string, string | number>> = {}): string {
  return fillPath(route.path, {
    id: unknownId,
    permissionId: unknownId,
    commentId: unknownId,
    userId: unknownId,
    version: 1,
    sha256: unknownHash,
    ...params,
  });
}

export function paramNames({ route }: Row): string[] {
  return [...route.path.matchAll(/:([a-zA-Z0-9]+)/g)].map(([, name = ""]) => name);
}

/** The fields of an object schema, without its wrappers. */
export function fieldsOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>;
  if (schema instanceof z.ZodDefault) return fieldsOf(schema.unwrap() as z.ZodType);
  return {};
}

/** A value of every JSON type. The last one could widen a query on MongoDB. */
const samples: readonly unknown[] = [true, 3.5, "\u0000 no such value \u0000", [[1]], { $gt: "" }];

/** Values that a field must refuse. */
export function wrongValues(field: z.ZodType): unknown[] {
  return samples.filter((sample) => !field.safeParse(sample).success);
}
