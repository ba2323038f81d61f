/**
 * Identifies the user of a request: by a bearer token, or else by the session. Reads the user's status and session
 * version with every request.
 */
import type { Context } from "koa";
import type { Actor } from "#core/permissions/actor.ts";
import { resolveActor } from "#core/permissions/resolve.ts";
import { AppError } from "#core/errors.ts";
import { isWellFormedToken } from "#core/tokens/text.ts";
import { printedName } from "#core/users/printed-name.ts";

import type { CompanyDocument, SessionDocument, UserDocument } from "../database/documents.ts";
import type { Services } from "./services.ts";

import type { Identity } from "./call.ts";
import type { KnownUser } from "../audit/denials.ts";
import { createSessionReader, hashOf } from "./session.ts";
import { refusals } from "./refusals.ts";

export interface IdentifiedUser {
  identity: Identity;
  /** The token's scopes. Null for a session, which has all permissions of its user. */
  scopes: readonly string[] | null;
}

export interface IdentifyRequest {
  /** Returns the token or session id that the request has, valid or not. */
  credential: (ctx: Context) => string | null;
  /** Returns the user; null for a request without credentials. @throws AppError unauthenticated for an invalid token */
  identify: (ctx: Context) => Promise<IdentifiedUser | null>;
  /** Returns the session of a sign-in that still lacks a factor. */
  unfinished: (ctx: Context) => Promise<SessionDocument | null>;
}

const usedEveryMs = 30_000;
/** The start of paths of repositories: `/git/<company>.git`. */
export const gitPrefix = "/git/";

export function createIdentifyRequest({
  db,
  companies,
  clock,
  config,
  log,
  sessions: stored,
}: Pick<Services, "db" | "companies" | "clock" | "config" | "log" | "sessions">): IdentifyRequest {
  const sessions = createSessionReader(stored, clock, config.secure);
  /** Logs an error, so that the request continues even if its time can't be stored. */
  const ignoreTimeFailure = (write: Promise<unknown>) =>
    write.catch((error: unknown) => log.warn({ err: error }, "the time of the last use was not stored"));
  const users = db.collection("users");
  const tokens = db.collection("tokens");

  async function loadActiveUser(
    userId: string,
    sessionVersion: number,
  ): Promise<Pick<Identity, "actor" | "user"> | null> {
    const user = await users.findOne({ _id: userId });
    if (!user || user.status !== "active" || user.sessionVersion !== sessionVersion) return null;
    const company = await companies.get(user.companyId);
    // the company's record is lost, so signing in again wouldn't help
    if (company === null) throw new AppError("damaged");
    return company.status === "active" ? { user, actor: actorOf(user, company, clock.now()) } : null;
  }

  async function identifyByToken(ctx: Context, text: string): Promise<IdentifiedUser> {
    const token = isWellFormedToken(text) ? await tokens.findOne({ hash: hashOf(text) }) : null;
    if (!token) throw new AppError("unauthenticated", refusals.unknownToken());
    rememberKnownUser(ctx, { ...token, userName: null });
    if (token.expiresAt <= clock.now()) throw new AppError("unauthenticated", refusals.expiredToken());
    const who = await loadActiveUser(token.userId, token.sessionVersion);
    if (!who) throw new AppError("unauthenticated", refusals.userOfToken());
    if (token.lastUsedAt === null || clock.millis() - Date.parse(token.lastUsedAt) > usedEveryMs) {
      await ignoreTimeFailure(tokens.updateOne({ _id: token._id }, { $set: { lastUsedAt: clock.now() } }));
    }
    return { identity: { ...who, tokenId: token._id, session: null }, scopes: token.scopes };
  }

  async function identifyBySession(ctx: Context): Promise<IdentifiedUser | null> {
    const session = await sessions.read(ctx);
    if (!session || isUnfinished(session)) return null;
    rememberKnownUser(ctx, { ...session, userName: null });
    const who = await loadActiveUser(session.userId, session.sessionVersion);
    if (!who) return null;
    await ignoreTimeFailure(sessions.touch(session, who.user.role));
    return { identity: { ...who, tokenId: null, session }, scopes: null };
  }

  return {
    credential: (ctx) => ctx.get("authorization") || sessions.idOf(ctx),
    async identify(ctx) {
      const header = ctx.get("authorization");
      const found = header ? await identifyByToken(ctx, tokenInHeader(ctx.path, header)) : await identifyBySession(ctx);
      if (found) {
        const { _id: userId, companyId } = found.identity.user;
        ctx.state["userId"] = userId;
        ctx.state["companyId"] = companyId;
        rememberKnownUser(ctx, { userId, companyId, userName: printedName(found.identity.user) });
      }
      return found;
    },
    async unfinished(ctx) {
      const session = await sessions.read(ctx);
      return session && isUnfinished(session) ? session : null;
    },
  };
}

/** Says whether the sign-in still lacks a factor. The session gives no access then. */
const isUnfinished = ({ missing = [] }: SessionDocument) => missing.length > 0;

/** Stores the user in the request's context, for the audit row of a refusal. */
function rememberKnownUser(ctx: Context, { companyId, userId, userName }: KnownUser): void {
  ctx.state["knownUser"] = { companyId, userId, userName };
}

/**
 * Returns the token in the Authorization header. Git sends it as the password of any user name, and other clients send
 * it as a bearer token.
 */
function tokenInHeader(path: string, header: string): string {
  const basic = path.startsWith(gitPrefix) ? /^Basic\s+([\w+/=]+)$/i.exec(header)?.[1] : undefined;
  if (basic !== undefined) {
    const [, name = "", password = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(basic, "base64").toString("utf8")) ?? [];
    return password || name;
  }
  const match = /^Bearer\s+(\S+)$/i.exec(header);
  if (!match?.[1]) throw new AppError("unauthenticated", refusals.bearerNeeded());
  return match[1];
}

/** Returns the facts about a user that decide on access. @param now ISO time, because permissions can expire */
export function actorOf(user: UserDocument, company: Pick<CompanyDocument, "settings">, now: string): Actor {
  const { _id: userId, companyId, role, teamIds, permissions } = user;
  return resolveActor({ userId, companyId, role, teamIds, permissions }, company.settings, now);
}
