/** Clone and fetch over HTTP at `/git/<company>.git`, with a token as the password (`docs/git.md`). */
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import type { TokenScope } from "#core/tokens/scopes.ts";
import type { Denials, KnownUser } from "../audit/denials.ts";
import { recordRead } from "../audit/record.ts";
import { withCaller } from "../capacity/caller.ts";
import { placeUntilSent } from "../http/answers.ts";
import { readBytes } from "../http/body.ts";
import type { Identity } from "../http/call.ts";
import { identifiedOf } from "../http/count-requests.ts";
import { abortOnDisconnect } from "../http/disconnect.ts";
import { refusalBody } from "../http/error-body.ts";
import { hashOf } from "../http/secrets.ts";
import { originOf } from "../http/request-id.ts";
import type { Services } from "../http/services.ts";
import { realDisk } from "../repository/disk.ts";
import { findGit } from "../repository/git-process.ts";
import { historyRef, mainRef } from "../repository/bare-repository.ts";
import { readRef } from "../repository/refs.ts";
import { createCopies, readsEverything, type Copy } from "./copies.ts";
import { advertisement, answer, uploadPack, wanted, type Served } from "./upload-pack.ts";

const address = /^\/git\/([a-z0-9-]{1,80})\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;
const protocols = /^version=[0-2](?::[a-z0-9-]+(?:=[A-Za-z0-9._-]+)?)*$/;
/** A server that has just started may still be committing. */
const catchUpMs = 20_000;
/** A fetch asks for the same objects in several rounds: they are one entry of the audit log. */
const oneFetchMs = 60_000;

const unpacked = promisify(gunzip);

export function gitRepositories(services: Services, denials: Denials, git: string | null = findGit()) {
  const { clock, companies, repositories, shares } = services;
  const copies = createCopies(services);
  /** When each token last fetched which objects. */
  const fetched = new Map<string, number>();

  return async (ctx: Context, next: Next) => {
    if (!address.test(ctx.path)) return next();
    try {
      const identity = authorise(ctx, "repo:read");
      const { companyId, userId } = identity.actor;
      await withCaller({ companyId, userId }, () => respond(ctx, identity));
    } catch (error) {
      refuse(ctx, error);
    }
  };

  async function respond(ctx: Context, identity: Identity): Promise<void> {
    const { companyId } = identity.actor;
    const [, slug, file] = address.exec(ctx.path) ?? [];
    const company = await companies.get(companyId);
    if (slug !== company?.slug) throw new AppError("not_found", "There is no such repository");
    ctx.set("Cache-Control", "no-store");
    if (file === "info/refs" && ctx.method === "GET") return advertise(ctx, identity);
    if (file === uploadPack && ctx.method === "POST") return send(ctx, identity);
    throw new AppError("forbidden", "The repository takes no push. Send files with sop push or sop import");
  }

  async function advertise(ctx: Context, identity: Identity): Promise<void> {
    const service = ctx.query["service"];
    if (service === undefined) throw new AppError("invalid_input", "Update git: it asks in a way of before 2010");
    if (service !== uploadPack) {
      throw new AppError("forbidden", "The repository takes no push. Send files with sop push or sop import");
    }
    const served = await open(ctx, identity);
    ctx.type = `application/x-${uploadPack}-advertisement`;
    ctx.body = await advertisement(served);
  }

  async function send(ctx: Context, identity: Identity): Promise<void> {
    const type = `application/x-${uploadPack}-request`;
    if (ctx.get("content-type") !== type) throw new AppError("unsupported_type", `Send ${type}`);
    const request = await bodyOf(ctx);
    const served = await open(ctx, identity);
    try {
      await audit(ctx, identity, served, request);
    } catch (error) {
      served.onEnd();
      throw error;
    }
    ctx.type = `application/x-${uploadPack}-result`;
    ctx.body = answer(served, request);
  }

  async function open(ctx: Context, identity: Identity): Promise<Served> {
    const { companyId } = identity.actor;
    if (git === null) {
      throw new AppError("unavailable", "This server has no git, so it can't be cloned. Use sop pull");
    }
    const protocol = ctx.get("git-protocol");
    await placeUntilSent(ctx, shares.clones);
    await Promise.race([repositories.drain(companyId).catch(() => undefined), wait(catchUpMs, null, { ref: false })]);
    const partial = await readsEverything(services, identity.actor);
    const { gitdir, leave } = partial ? whole(companyId) : await copies.take(identity.actor);
    if ((await readRef(realDisk, gitdir, mainRef)) === null) {
      throw new AppError("busy", "The repository is being built. Try again in a minute");
    }
    return {
      git,
      gitdir,
      // a copy changes with the rights of its user: files that come later could be gone
      partial,
      protocol: protocols.test(protocol) ? protocol : undefined,
      signal: abortOnDisconnect(ctx),
      onEnd: leave,
    };
  }

  function whole(companyId: string): Copy {
    return { gitdir: repositories.path(companyId), leave: () => undefined };
  }

  /** A clone takes a branch and has nothing before. Files of a partial clone that come later are fetches. */
  async function audit(ctx: Context, identity: Identity, { gitdir }: Served, request: Buffer): Promise<void> {
    const { wants, has } = wanted(request);
    if (wants.length === 0) return;
    const heads = await Promise.all([mainRef, historyRef].map((name) => readRef(realDisk, gitdir, name)));
    const isClone = !has && wants.some((oid) => heads.includes(oid));
    const { user, tokenId } = identity;
    const now = clock.millis();
    for (const [fetch, at] of fetched) if (now - at > oneFetchMs) fetched.delete(fetch);
    const fetch = hashOf(`${tokenId} ${wants.join(" ")}`);
    const isSame = fetched.has(fetch);
    fetched.set(fetch, now);
    if (has && isSame) return;
    await recordRead(services, {
      companyId: user.companyId,
      userId: user._id,
      userName: user.name,
      action: isClone ? "repository.clone" : "repository.fetch",
      entityType: "company",
      entityId: user.companyId,
      changes: { branches: branchesOf(wants, heads) },
      at: clock.now(),
      origin: originOf(ctx),
    });
  }

  /** Git packs large requests with gzip. */
  async function bodyOf(ctx: Context): Promise<Buffer> {
    const limit = limits.gitRequest;
    const encoding = ctx.get("content-encoding");
    delete ctx.req.headers["content-encoding"];
    const bytes = await readBytes(ctx, limit, shares.bodies);
    if (encoding !== "gzip" && encoding !== "x-gzip") return bytes;
    return unpacked(bytes, { maxOutputLength: limit }).catch(() => {
      throw new AppError("invalid_input", "The request can't be unpacked");
    });
  }

  function authorise(ctx: Context, scope: TokenScope): Identity {
    const found = identifiedOf(ctx);
    // a browser's session is no way in: a page of another site could use it
    if (!found?.scopes) throw new AppError("unauthenticated", "Sign in with a token as the password");
    if (!found.scopes.includes(scope)) throw new AppError("forbidden", `The token lacks the scope ${scope}`);
    return found.identity;
  }

  /** Git shows plain text to its user. */
  function refuse(ctx: Context, error: unknown): void {
    const { refusal, body: told } = refusalBody(error, ctx, services.log);
    const by = ctx.state["knownUser"] as KnownUser | undefined;
    if (by && (refusal.code === "forbidden" || refusal.code === "unauthenticated" || refusal.code === "not_found")) {
      const { status, code } = refusal;
      denials.note({ by, call: "repository.clone", entityId: null, status, code, origin: originOf(ctx) });
    }
    if (ctx.headerSent || !ctx.writable) return;
    ctx.status = refusal.status;
    if (refusal.status === 401) ctx.set("WWW-Authenticate", 'Basic realm="Sopwright token"');
    if (refusal.status === 429 || refusal.code === "busy") ctx.set("Retry-After", "5");
    ctx.type = "text/plain; charset=utf-8";
    ctx.body = `${told.message}\n`;
    if (!ctx.req.complete) ctx.set("Connection", "close");
  }
}

function branchesOf(wants: readonly string[], [main, history]: readonly (string | null)[]): string[] {
  return [
    ...(main && wants.includes(main) ? ["main"] : []),
    ...(history && wants.includes(history) ? ["history"] : []),
  ];
}
