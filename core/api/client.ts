/** The typed client of web and CLI. It loads types only, no schema at run time. */
import type { z } from "zod";
import type { ErrorBody, ErrorCode, Reason } from "../errors.ts";
import { fillPath, type Route, type RouteTable } from "../contract/route.ts";
import type { RouteSchema } from "../contract/schema.ts";

type RequestPart<S extends RouteSchema, K extends "params" | "query" | "body"> = S[K] extends z.ZodType
  ? Record<never, never> extends z.input<S[K]>
    ? { [P in K]?: z.input<S[K]> }
    : { [P in K]: z.input<S[K]> }
  : Record<never, never>;

export interface CallOptions {
  /** The version that the caller edited: sent as `If-Match`, so that a stale save is refused. */
  ifMatch?: number;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Sends the request even if its page is being closed; for small bodies only. */
  keepalive?: true;
  /** Reads the answer of a call that sends progress events, and returns the text of the final answer. */
  read?: (answer: ApiAnswer) => Promise<string>;
}

export type CallInput<S extends RouteSchema> = RequestPart<S, "params"> &
  RequestPart<S, "query"> &
  RequestPart<S, "body"> &
  CallOptions;
export type CallOutput<S extends RouteSchema> = S["output"] extends z.ZodType ? z.output<S["output"]> : null;

type EndpointCall<S extends RouteSchema> =
  Record<never, never> extends CallInput<S>
    ? (input?: CallInput<S>) => Promise<CallOutput<S>>
    : (input: CallInput<S>) => Promise<CallOutput<S>>;

export type Client<Schemas> = {
  readonly [Group in keyof Schemas]: {
    readonly [Name in keyof Schemas[Group]]: Schemas[Group][Name] extends RouteSchema
      ? EndpointCall<Schemas[Group][Name]>
      : never;
  };
};

export interface ApiRequest {
  method: Route["method"];
  /** The path and the query string, without the origin. */
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  keepalive?: true;
}

export interface ApiAnswer {
  status: number;
  statusText: string;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** Sends a request: `fetch` with cookies in the browser, with a token in the CLI, a fake in tests. */
export type Send = (request: ApiRequest) => Promise<ApiAnswer>;

/**
 * The error for any answer that isn't OK. The message is `"<status>: <body text>"` (`docs/spec/calls.md`); code and
 * details are parsed from the body.
 */
export class ApiError extends Error {
  /**
   * Translates a refusal into the reader's language; returns null if the text stays in English. Clients in other
   * languages set this function.
   */
  static sentenceOf: (reason: Reason) => string | null = () => null;

  readonly status: number;
  readonly code: ErrorCode | null;
  readonly serverMessage: string | null;
  readonly details: unknown;
  readonly reason: ErrorBody["reason"];

  constructor(status: number, text: string, statusText: string) {
    super(`${status}: ${text || statusText}`);
    this.name = "ApiError";
    this.status = status;
    const body = parseErrorBody(text);
    this.code = body?.code ?? null;
    this.serverMessage = body && translatedMessage(body);
    this.details = body && translatedDetails(body, this.serverMessage);
    this.reason = body?.reason;
  }

  /** Seconds that the server asks to wait before the next try; null if it doesn't say. */
  get retryAfterSeconds(): number | null {
    const { retryAfterSeconds: seconds } = Object(this.details) as { retryAfterSeconds?: unknown };
    return typeof seconds === "number" ? seconds : null;
  }
}

/**
 * Returns the message in the reader's language: the translated `reason` of the error, or the general sentence of the
 * error's code if there is no `reason`. Without a translation, it is the English message.
 */
const translatedMessage = ({ code, message, reason }: ErrorBody): string =>
  ApiError.sentenceOf(reason ?? { id: `core.errors.${code}`, values: {} }) ?? message;

/** Returns the details with the messages of fields in the reader's language. */
function translatedDetails({ details, message, reason, reasons }: ErrorBody, spoken: string | null): unknown {
  if (!isPlainObject(details)) return details;
  return Object.fromEntries(
    Object.entries(details).map(([field, value]) => {
      const own = reasons?.[field];
      if (own) return [field, ApiError.sentenceOf(own) ?? value];
      return [field, reason && value === message ? spoken : value];
    }),
  );
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseErrorBody(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    if (!isPlainObject(body)) return null;
    const { code, message, details, reason, reasons } = body;
    if (typeof code !== "string" || !/^[a-z_]+$/.test(code) || typeof message !== "string") return null;
    // an unknown code is accepted without a check, because the table of codes would make the client larger
    return {
      code: code as ErrorCode,
      message,
      details,
      ...(isReason(reason) && { reason }),
      ...(isPlainObject(reasons) && {
        reasons: Object.fromEntries(
          Object.entries(reasons).filter((entry): entry is [string, Reason] => isReason(entry[1])),
        ),
      }),
    };
  } catch {
    return null;
  }
}

function isReason(value: unknown): value is Reason {
  const { id, values } = Object(value) as Partial<Reason>;
  return typeof id === "string" && isPlainObject(values);
}

interface LooseInput extends CallOptions {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Builds the request for a row of the contract and its input. */
export function buildRequest(route: Route, input: LooseInput = {}): ApiRequest {
  const headers: Record<string, string> = { accept: input.read ? "text/event-stream" : "application/json" };
  const request: ApiRequest = {
    method: route.method,
    url: fillPath(route.path, input.params) + queryString(input.query),
    headers,
  };
  if (input.ifMatch !== undefined) headers["if-match"] = `"v${input.ifMatch}"`;
  if (input.idempotencyKey !== undefined) headers["idempotency-key"] = input.idempotencyKey;
  if (input.signal) request.signal = input.signal;
  if (input.keepalive) request.keepalive = true;
  if (route.method !== "GET") {
    headers["content-type"] = "application/json";
    request.body = JSON.stringify(input.body ?? {});
  }
  return request;
}

function queryString(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `?${text}` : "";
}

/**
 * Creates the typed client: `client.sops.update({params: {id}, body, ifMatch: 7})`.
 * @throws ApiError on any non-OK answer; the error of `send` if there was no answer
 */
export function createClient<Schemas>(routes: RouteTable, send: Send): Client<Schemas> {
  const callRoute = async (route: Route, input?: LooseInput) => {
    const answer = await send(buildRequest(route, input));
    const text = await (input?.read?.(answer) ?? answer.text());
    if (answer.status < 200 || answer.status > 299) throw new ApiError(answer.status, text, answer.statusText);
    return text ? (JSON.parse(text) as unknown) : null;
  };
  return Object.fromEntries(
    Object.entries(routes).map(([group, rows]) => [
      group,
      Object.fromEntries(
        Object.entries(rows).map(([name, route]) => [name, (input?: LooseInput) => callRoute(route, input)]),
      ),
    ]),
  ) as Client<Schemas>;
}
