/** A route of the API without its schemas. Browsers load this file, so it has no zod. */
import type { addressLimits } from "../limits.ts";
import type { PermittedAction } from "../permissions/actions.ts";
import type { ProofPurpose } from "../sign-in/proofs.ts";
import type { TokenScope } from "../tokens/scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Route {
  readonly method: Method;
  readonly path: `/${string}`;
  /**
   * `public`: no sign-in needed (then `limiter` is required, except for signing in and out and for reads that reveal nothing).
   * `user`: any signed-in user; the handler decides about the resource.
   * An action: the role must allow it for any resource.
   */
  readonly access: "public" | "user" | PermittedAction;
  /**
   * The kind of answer; `json` when absent. A stream or file writes its own answer, and a redirect returns the next
   * address.
   */
  readonly kind?: "json" | "stream" | "file" | "redirect";
  /** The media types that a `file` can have. */
  readonly produces?: readonly string[];
  /**
   * The scope that an access token needs; `tokenScopeOf` derives it if absent. With `session`, access tokens are
   * refused.
   */
  readonly scope?: TokenScope | "session";
  /**
   * The purpose for which the user must have confirmed their identity again shortly before. Needs the scope `session`.
   */
  readonly proven?: ProofPurpose;
  /** True if the handler starts or ends a session. */
  readonly session?: true;
  /**
   * Says what a full disk does to the call. By default, calls that write are refused. `reserve`: the call counts failed attempts,
   * so it may use the reserved space. `always`: the call runs in any case.
   */
  readonly whileFull?: "reserve" | "always";
  /** The resources that a mutation changes, as `Resource` in `core/api/routes.ts` names them. */
  readonly touches?: readonly string[];
  readonly limiter?: keyof typeof addressLimits;
  /**
   * Names the limit of `limits.ts` for the body; `json` when absent. Handlers get `raw` bodies as bytes, or as a file.
   */
  readonly body?: "json" | "sign-in" | "import" | "raw-asset" | "raw-import";
  /**
   * True if the answer has a secret that is shown only once or never stored. Such an answer isn't cached for a repeated
   * request.
   */
  readonly secret?: true;
  /** True if clients that accept `text/event-stream` get progress events of the call, then `done` or `error`. */
  readonly progress?: true;
  /** The HTTP status of a success; 200 when absent. */
  readonly success?: 200 | 201 | 204;
}

export type RouteGroup = Readonly<Record<string, Route>>;
export type RouteTable = Readonly<Record<string, RouteGroup>>;

/** Returns the group unchanged, with the literal types of its routes. */
export function routeGroup<const G extends RouteGroup>(group: G): G {
  return group;
}

/** Returns the scope that an access token needs for a route (`docs/spec/calls.md`). */
export function tokenScopeOf(route: Route): TokenScope | "session" {
  return route.scope ?? (route.method === "GET" ? "sops:read" : "sops:write");
}

/**
 * Fills the parameters into a path, percent-encoded: `/api/sops/:id` → `/api/sops/0198…`. @throws when a parameter is
 * missing
 */
export function fillPath(path: string, params: Readonly<Record<string, string | number>> = {}): string {
  return path.replaceAll(/:([a-zA-Z0-9]+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`path ${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
}
