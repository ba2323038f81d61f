/** The half of a contract row that browsers load: no zod in here. The other half, the schemas, is `schemas.ts`. */
import type { Action } from "../access/actions.ts";
import type { TokenScope } from "../tokens/scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What a mutation changes: names the caches to refresh, here and (by the server's events) in every other browser. */
export type Resource =
  | "sops"
  | "categories"
  | "stats"
  | "users"
  | "tokens"
  | "company"
  | "companies"
  | "teams"
  | "templates"
  | "repository"
  | "sessions"
  | "settings"
  | "invitations"
  | "roles"
  | "audit"
  | "approvals"
  | "notifications"
  | "comments"
  | "acknowledgements"
  | "suggestions"
  | "presence"
  | "ai"
  | "me";

export interface Route {
  readonly method: Method;
  readonly path: `/${string}`;
  /**
   * `public`: nobody needs to be signed in (then `limiter` is obligatory, except for reads that tell nothing).
   * `user`: anybody signed in; the handler decides about the resource. An action: the role must allow it, whatever the resource.
   */
  readonly access: "public" | "user" | Action;
  /** `json` unless said otherwise; a stream or file writes its own answer. */
  readonly kind?: "json" | "stream" | "file";
  /** The media types a `file` comes in. */
  readonly produces?: readonly string[];
  /** The scope a token needs; derived (`scopeOf`) when absent; `session`: tokens are refused. */
  readonly scope?: TokenScope | "session";
  readonly touches?: readonly Resource[];
  readonly limiter?: "sign-in" | "register" | "setup" | "forgot-password" | "reset-password" | "confirm-email";
  /** Which limit of `limits.ts` bounds the body; `json` when absent, `raw` bodies are handed over as bytes, or as a file. */
  readonly body?: "json" | "sign-in" | "import" | "raw-asset" | "raw-import";
  /** The answer may hold what is told once, or is to be kept nowhere: it is not kept for a repeat of the request. */
  readonly secret?: true;
  /** Tells how far it has come to who asks for `text/event-stream`: events of its own, then `done` or `error`. */
  readonly progress?: true;
  /** Status of a success; 200 when absent. */
  readonly success?: 200 | 201 | 204;
}

export type RouteGroup = Readonly<Record<string, Route>>;
export type RouteTable = Readonly<Record<string, RouteGroup>>;

/** Keeps the literal types of a group's rows. */
export function routeGroup<const G extends RouteGroup>(group: G): G {
  return group;
}

/** The scope a token needs for a row (`docs/spec/calls.md`). */
export function scopeOf(route: Route): TokenScope | "session" {
  return route.scope ?? (route.method === "GET" ? "sops:read" : "sops:write");
}

/** `/api/sops/:id` + {id} → `/api/sops/0198…`; values are percent-encoded. @throws when a parameter is missing */
export function fillPath(path: string, params: Readonly<Record<string, string | number>> = {}): string {
  return path.replaceAll(/:([a-zA-Z0-9]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`path ${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
}
