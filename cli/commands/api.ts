import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { ApiError, buildRequest, createClient, type ApiRequest } from "#core/api/client.ts";
import type { Route, RouteTable } from "#core/contract/route.ts";
import { routes } from "#core/api/routes.ts";
import type { RouteSchema } from "#core/contract/schema.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { alignedColumns } from "../columns.ts";
import { exit, invalidInputError } from "../exit.ts";
import { createSend, fetchFromServer, findConnection } from "../server.ts";
import { announceTarget } from "../write-target.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface ApiOptions {
  param?: string[];
  query?: string[];
  body?: string;
  ifMatch?: number;
}

const table: RouteTable = routes;

/** Calls any route of the API contract by its name. */
export async function callApi(
  context: CommandContext,
  name: string | undefined,
  options: ApiOptions,
): Promise<CommandResult> {
  if (name === undefined) return listCalls();
  const route = findRoute(name);
  const request = await createApiRequest(context, name, route, options);
  const connection = await findConnection(context);
  const { server, token } = connection;
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  if (route.method !== "GET" && token !== null) {
    const client = createClient<Schemas>(routes, createSend(server, context.signal, headers));
    await announceTarget(context, { client, connection });
  }
  const response = await fetchFromServer(server, context.signal, request, headers);
  if (!response.ok) throw new ApiError(response.status, await response.text(), response.statusText);
  if (route.kind === "stream" || route.kind === "file") return await printResponse(context, response);
  const text = await response.text();
  const data: unknown = text === "" ? null : JSON.parse(text);
  return { exit: exit.done, data, text: data === null ? "" : `${JSON.stringify(data, null, 2)}\n` };
}

function allCalls(): [string, Route][] {
  return Object.entries(table).flatMap(([group, rows]) =>
    Object.entries(rows).map(([row, route]): [string, Route] => [`${group}.${row}`, route]),
  );
}

async function listCalls(): Promise<CommandResult> {
  // Summaries of calls are in the module that needs zod. It loads here, so that other commands start faster.
  const { schemas } = await import("#core/api/schemas.ts");
  const summaryOf = (name: string): string => {
    const [group = "", row = ""] = name.split(".");
    return (schemas as unknown as Record<string, Record<string, RouteSchema>>)[group]?.[row]?.summary ?? "";
  };
  const calls = allCalls().map(([name, { method, path }]) => ({ name, method, path, summary: summaryOf(name) }));
  return {
    exit: exit.done,
    data: calls,
    text: alignedColumns(calls.map(({ name, method, path, summary }) => [name, method, path, summary])),
  };
}

function findRoute(name: string): Route {
  const route = allCalls().find(([known]) => known === name)?.[1];
  if (route !== undefined) return route;
  const group = name.split(".")[0] ?? "";
  const near = Object.hasOwn(table, group) ? Object.keys(table[group] ?? {}).map((row) => `${group}.${row}`) : [];
  throw invalidInputError("no_call", `${name} is not a call`, {
    hint: near.length > 0 ? `there are ${near.join(", ")}` : "`sop api` lists them all",
  });
}

async function createApiRequest(
  context: CommandContext,
  name: string,
  route: Route,
  options: ApiOptions,
): Promise<ApiRequest> {
  const params = parseNameValuePairs(options.param ?? [], "--param");
  const required = [...route.path.matchAll(/:([a-zA-Z0-9]+)/g)].map(([, param]) => param ?? "");
  const missing = required.filter((param) => params[param] === undefined);
  if (missing.length > 0) {
    throw invalidInputError("missing_param", `${name} needs ${missing.map((param) => `--param ${param}=…`).join(" ")}`);
  }
  const unknown = Object.keys(params).find((param) => !required.includes(param));
  if (unknown !== undefined)
    throw invalidInputError("unknown_param", `${name} has no ${unknown} in its path ${route.path}`);
  const ifMatch = options.ifMatch === undefined ? {} : { ifMatch: options.ifMatch };
  const input = { params, query: parseNameValuePairs(options.query ?? [], "--query"), ...ifMatch };
  if (options.body === undefined) return buildRequest(route, input);
  if (route.method === "GET") throw invalidInputError("no_body", `${name} is a GET: it takes no --body`);
  const body = await readBodyBytes(context, options.body);
  if (route.body !== "raw-asset") return buildRequest(route, { ...input, body: parseJson(body) });
  const request = buildRequest(route, input);
  return { ...request, headers: { ...request.headers, "content-type": contentTypeOf(options.body) }, body };
}

function parseNameValuePairs(texts: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      if (at < 1) throw invalidInputError("usage", `${flag} ${text}: write it as name=value`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

async function readBodyBytes(context: CommandContext, source: string): Promise<Uint8Array> {
  if (source === "-") return await context.stdin();
  return source.startsWith("@") ? await readFile(source.slice(1)) : new TextEncoder().encode(source);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw invalidInputError("not_json", `--body is not JSON: ${(error as Error).message}`, {
      hint: "--body @file reads a file",
    });
  }
}

const contentTypes: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
};

function contentTypeOf(source: string): string {
  return contentTypes[extname(source).toLowerCase()] ?? "application/octet-stream";
}

/** Writes files and streams to stdout as they arrive, even with --json. */
async function printResponse(context: CommandContext, response: Response): Promise<CommandResult> {
  for await (const chunk of response.body ?? []) await context.out.write(chunk);
  return { exit: exit.done, data: null, streamed: true };
}
