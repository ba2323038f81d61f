/**
 * Adapts koa-session to our store, for routes that start or end a session. koa-session has two faults
 * (`docs/security.md`, Sessions): it creates a session again that was signed out during a slow request, and it keeps
 * the id at sign-in. Our store only inserts ids created in the same request, with a hash of the cookie as the key. All
 * other requests only read sessions.
 */
import { randomBytes } from "node:crypto";
import type Koa from "koa";
import type { Context, Next } from "koa";
import session from "koa-session";
import type { Role } from "#core/permissions/roles.ts";
import type { Proof, ProofMethod } from "#core/sign-in/proofs.ts";
import type { Clock } from "#core/clock.ts";
import type { SessionDocument } from "../database/documents.ts";
import { sendDeviceCookie } from "./known-devices.ts";
import { hashOf } from "./secrets.ts";
import type { SessionStore } from "./session-store.ts";

const hourMs = 3600 * 1000;
const idleMs = 24 * hourMs;
/**
 * Milliseconds without a request after which administrators are signed out: less than for others (`docs/security.md`,
 * Sessions).
 */
const privilegedIdleMs = 8 * hourMs;
const privileged: ReadonlySet<Role> = new Set(["system_admin", "company_admin", "admin"]);
const absoluteMs = 14 * 24 * hourMs;
/**
 * Milliseconds between two writes of a session's last use. Writing with every request would make every read a write.
 */
const seenEveryMs = 60_000;

/** The data that koa-session stores: user and times, never application data. */
interface SessionData {
  userId?: string;
  companyId?: string;
  sessionVersion?: number;
  role?: Role;
  proofs?: Proof[];
  missing?: ProofMethod[];
}

export { hashOf };

const sessionCookieName = (secure: boolean) => (secure ? "__Host-sid" : "sid");

/** Adds koa-session to the app, and creates the middleware for routes with `session`. */
export function createSessionMiddleware(app: Koa, stored: SessionStore, clock: Clock, secure: boolean) {
  const store = {
    async get(key: string) {
      const found = await stored.read(hashOf(key));
      return found && found.expiresAt > clock.now() ? { userId: found.userId } : undefined;
    },
    async set(key: string, data: SessionData, _maxAge: unknown, { ctx }: { ctx: Context }) {
      const minted = ctx.state["mintedSessions"] as Set<string> | undefined;
      if (!minted?.has(key) || !data.userId || !data.companyId || !data.role) return;
      minted.delete(key);
      const now = clock.now();
      await stored.start({
        _id: hashOf(key),
        userId: data.userId,
        companyId: data.companyId,
        sessionVersion: data.sessionVersion ?? 0,
        createdAt: now,
        proofs: data.proofs ?? [],
        ...(data.missing && data.missing.length > 0 && { missing: data.missing }),
        lastSeenAt: now,
        expiresAt: sessionExpiry(clock.millis(), clock.millis(), data.role),
        userAgent: ctx.get("user-agent").slice(0, 300) || null,
      });
    },
    async destroy(key: string) {
      await stored.end(hashOf(key));
    },
  };

  const middleware = session(
    {
      key: sessionCookieName(secure),
      maxAge: absoluteMs,
      httpOnly: true,
      secure,
      sameSite: "lax",
      signed: false,
      overwrite: true,
      rolling: false,
      renew: false,
      genid: (ctx) => {
        const id = randomBytes(32).toString("base64url");
        const minted = (ctx.state["mintedSessions"] ??= new Set<string>()) as Set<string>;
        minted.add(id);
        return id;
      },
      store: store as never,
    },
    app,
  );
  return async (ctx: Context, next: Next) => {
    // PUBLIC_URL says that browsers connect by https, even if the trusted proxy doesn't report it
    if (secure) ctx.cookies.secure = true;
    await middleware(ctx, next);
    sendDeviceCookie(ctx, secure);
    addMaxAge(ctx);
  };
}

/**
 * Adds `max-age` to cookies. Their `expires` depends on the server's clock, which can be wrong, but browsers count
 * `max-age` by their own clock and prefer it.
 */
function addMaxAge({ res }: Context): void {
  const cookies = res.getHeader("Set-Cookie");
  if (!Array.isArray(cookies)) return;
  const lasting = cookies.map((cookie) =>
    cookie.replace(/; (?=expires=([^;]+))/i, (separator, until: string) => {
      const seconds = Math.round((Date.parse(until) - Date.now()) / 1000);
      return seconds > 0 ? `; max-age=${seconds}; ` : separator;
    }),
  );
  res.setHeader("Set-Cookie", lasting);
}

/**
 * Creates a reader of sessions. `read` returns the valid session that a request's cookie names. `touch` stores the time
 * of the request.
 */
export function createSessionReader(stored: SessionStore, clock: Clock, secure: boolean) {
  const cookie = new RegExp(`(?:^|;\\s*)${sessionCookieName(secure)}=([\\w-]{20,200})(?:;|$)`);
  /** Returns the session id in the request's cookie, even if there is no such session. */
  const idOf = (ctx: Context): string | null => cookie.exec(ctx.get("cookie"))?.[1] ?? null;
  return {
    idOf,
    async read(ctx: Context): Promise<SessionDocument | null> {
      const id = idOf(ctx);
      const found = id === null ? null : await stored.read(hashOf(id));
      return found && found.expiresAt > clock.now() ? found : null;
    },
    async touch(session: SessionDocument, role: Role): Promise<void> {
      if (clock.millis() - Date.parse(session.lastSeenAt) < seenEveryMs) return;
      const expiresAt = sessionExpiry(Date.parse(session.createdAt), clock.millis(), role);
      await stored.touch(session._id, { lastSeenAt: clock.now(), expiresAt });
    },
  };
}

function sessionExpiry(createdMs: number, nowMs: number, role: Role): string {
  const idle = privileged.has(role) ? privilegedIdleMs : idleMs;
  return new Date(Math.min(nowMs + idle, createdMs + absoluteMs)).toISOString();
}

/**
 * Signs a user in, always with a new session id, and ends the old session. Must be the last step of a handler.
 * @param missing the factors that are still needed. The handler of the last factor starts a session with all proofs
 */
export async function startSession(
  ctx: Context,
  user: { _id: string; companyId: string; sessionVersion: number; role: Role },
  proofs: Proof[],
  missing: ProofMethod[] = [],
) {
  // empty the session first, because `regenerate` would save the content of the user before
  ctx.session = {} as never;
  const fresh = ctx.session as unknown as { regenerate(): Promise<void> };
  await fresh.regenerate();
  Object.assign(fresh, {
    userId: user._id,
    companyId: user.companyId,
    sessionVersion: user.sessionVersion,
    role: user.role,
    proofs,
    missing,
  });
}

export function endSession(ctx: Context): void {
  ctx.session = null;
  // clear only the cache, so that unsent drafts in the browser survive a sign-out
  ctx.set("Clear-Site-Data", '"cache"');
}
