/** Builds the OpenAPI 3.1 document from the contract table, so that nothing is declared twice. */
import { z } from "zod";
import { errorTable } from "../errors.ts";
import { tokenScopeOf, type Route } from "../contract/route.ts";
import { routes } from "./routes.ts";
import type { RouteSchema } from "../contract/schema.ts";
import { schemas } from "./schemas.ts";

type JsonObject = Record<string, unknown>;

/** Builds the complete OpenAPI document. Callers build it once and cache it. */
export function openApiDocument(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const components: Record<string, unknown> = { Error: errorSchema() };
  const convertSchema = (schema: z.ZodType, io: "input" | "output") =>
    moveToComponents(toJsonSchema(schema, io), components, io);
  for (const [group, rows] of Object.entries(routes)) {
    for (const [name, route] of Object.entries(rows as Record<string, Route>)) {
      const schema = (schemas as unknown as Record<string, Record<string, RouteSchema>>)[group]?.[name];
      if (!schema) continue;
      const path = route.path.replaceAll(/:([a-zA-Z0-9]+)/g, "{$1}");
      paths[path] = {
        ...paths[path],
        [route.method.toLowerCase()]: openApiOperation(`${group}.${name}`, route, schema, convertSchema),
      };
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Sopwright", version: "1", description: "Standard operating procedures: write, review, publish" },
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "sid" },
        token: { type: "http", scheme: "bearer" },
      },
    },
  };
}

type ConvertSchema = (schema: z.ZodType, io: "input" | "output") => JsonObject;

function openApiOperation(id: string, route: Route, schema: RouteSchema, convert: ConvertSchema): JsonObject {
  const success = String(route.success ?? (route.kind === "redirect" ? 302 : 200));
  const parameters = [...parametersOf(schema.params, "path", convert), ...parametersOf(schema.query, "query", convert)];
  return {
    operationId: id,
    summary: schema.summary,
    tags: [id.split(".")[0]],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(route, schema, convert),
    responses: {
      [success]: {
        description: route.kind === "redirect" ? "Goes on at another address" : "Done",
        ...(schema.output ? { content: answerContent(route, convert(schema.output, "output")) } : fileContent(route)),
      },
      default: {
        description: "Refused",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
    ...(route.access === "public"
      ? { security: [] }
      : { security: [{ session: [] }, { token: [tokenScopeOf(route)] }] }),
  };
}

function answerContent(route: Route, schema: JsonObject): JsonObject {
  return { "application/json": { schema }, ...(route.progress ? { "text/event-stream": { schema: {} } } : {}) };
}

function fileContent(route: Route): JsonObject {
  const types = route.kind === "stream" ? ["text/event-stream"] : (route.produces ?? []);
  return { content: Object.fromEntries(types.map((type) => [type, { schema: {} }])) };
}

function requestBodyOf(route: Route, schema: RouteSchema, convert: ConvertSchema): JsonObject {
  if (route.body === "raw-asset") {
    return {
      requestBody: { required: true, content: { "image/*": { schema: {} }, "application/pdf": { schema: {} } } },
    };
  }
  if (route.body === "raw-import") {
    return { requestBody: { required: true, content: { "application/octet-stream": { schema: {} } } } };
  }
  return schema.body
    ? { requestBody: { required: true, content: { "application/json": { schema: convert(schema.body, "input") } } } }
    : {};
}

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query", convert: ConvertSchema): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = convert(schema, "input") as {
    properties?: JsonObject;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: value,
  }));
}

function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  return z.toJSONSchema(schema, { io, target: "draft-2020-12", unrepresentable: "any" }) as JsonObject;
}

/**
 * Moves named schemas to `components`, separately for input and output, and returns the schema with references to them.
 */
function moveToComponents(json: JsonObject, components: Record<string, unknown>, io: "input" | "output"): JsonObject {
  const suffix = io === "input" ? "Input" : "";
  const { $defs, $schema: _schema, id: _id, $id: _dollarId, ...rest } = json;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonObject>)) {
    components[name + suffix] ??= relinkSchemaReferences(moveToComponents(definition, components, io), suffix);
  }
  return relinkSchemaReferences(rest, suffix) as JsonObject;
}

function relinkSchemaReferences(value: unknown, suffix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => relinkSchemaReferences(item, suffix));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) =>
      key === "$ref" && typeof child === "string" && child.startsWith("#/$defs/")
        ? [key, `#/components/schemas/${child.slice("#/$defs/".length)}${suffix}`]
        : [key, relinkSchemaReferences(child, suffix)],
    ),
  );
}

function errorSchema(): JsonObject {
  const reason = {
    type: "object",
    required: ["id", "values"],
    properties: { id: { type: "string" }, values: { type: "object" } },
  };
  return {
    type: "object",
    required: ["code", "message"],
    properties: {
      code: { enum: Object.keys(errorTable) },
      message: { type: "string" },
      details: {},
      reason,
      reasons: { type: "object", additionalProperties: reason },
    },
  };
}
