/** Serves clone, fetch and push over HTTP at `/git/<company>.git`, with a token as the password (`docs/git.md`). */
import { PassThrough } from "node:stream";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Context, Next } from "koa";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { can } from "#core/permissions/can.ts";
import type { TokenScope } from "#core/tokens/scopes.ts";
import { printedName } from "#core/users/printed-name.ts";
import type { Denials, KnownUser } from "../audit/denials.ts";
import { recordAudit } from "../audit/record.ts";
import { currentCaller, withCaller, type Caller } from "../capacity/caller.ts";
import { holdSlotUntilSent } from "../http/answers.ts";
import { readBytes } from "../http/body.ts";
import type { Identity } from "../http/call.ts";
import { loadQueueCaller } from "../http/caller-of.ts";
import { identityFoundForCount } from "../http/count-requests.ts";
import { abortOnDisconnect } from "../http/disconnect.ts";
import { refusalBody } from "../http/error-body.ts";
import { hashOf } from "../http/secrets.ts";
import { originOf } from "../http/request-id.ts";
import type { IdentifiedUser, IdentifyRequest } from "../http/identify.ts";
import type { ReceivedFile } from "../http/received-file.ts";
import type { Services } from "../http/services.ts";
import { createFolderOnDisk, realDisk } from "../repository/disk.ts";
import { findGit } from "../repository/git-process.ts";
import { historyRef, mainRef } from "../repository/bare-repository.ts";
import { readRef } from "../repository/refs.ts";
import { createCopies, mayCloneEverything } from "./copies.ts";
import { createHealer } from "./heal.ts";
import { createRepositoryCache, type RepositoryCopy } from "./repository-cache.ts";
import { loadFetchableProposals, type FetchableProposal } from "./proposal-refs.ts";
import { createRepositoryWithProposals } from "./with-proposals.ts";
import { importPush } from "./push.ts";
import { openQuarantine, PushRefused } from "./quarantine.ts";
import {
  setPushBody,
  readPushAdvertisement,
  createPushAnswer,
  readPushRequest,
  receivePack,
  receivePush,
  refusePush,
  type PushAnswer,
  type PushRequest,
} from "./receive-pack.ts";
import { refusalOfRef } from "./pushed-refs.ts";
import { readAdvertisement, answerUploadPack, uploadPack, parseWants, type ServedRepository } from "./upload-pack.ts";
import { refusals } from "./refusals.ts";

const address = /^\/git\/([a-z0-9-]{1,80})\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;
const protocols = /^version=[0-2](?::[a-z0-9-]+(?:=[A-Za-z0-9._-]+)?)*$/;
/** Milliseconds that a request waits for commits at most: a server that has just started may still be writing them. */
const catchUpMs = 20_000;
/** Milliseconds in which requests for the same objects count as one fetch, because git sends several requests. */
const oneFetchMs = 60_000;
/**
 * The maximum milliseconds of a push. Writing 2,000 documents on a slow disk takes most of it; git itself has a minute.
 */
const longestPushMs = 5 * 60_000;
/** Milliseconds for which users of a push that reached the limit on work share slots. */
const costlyMs = 10 * 60_000;

const unpacked = promisify(gunzip);

interface GitHandlerOptions {
  services: Services;
  denials: Denials;
  identify: IdentifyRequest["identify"];
  git?: string | null;
}

export function createGitMiddleware({ services, denials, identify, git = findGit() }: GitHandlerOptions) {
  const { clock, companies, repositories, shares } = services;
  const heal = createHealer(services);
  const cache = createRepositoryCache(path.join(services.config.dataDir, "clones"));
  const copies = createCopies(services, cache);
  const pushes = path.join(services.config.dataDir, "pushes");
  // delete pushes that the server's last run has left
  const cleared = realDisk.remove(pushes).catch((error: unknown) => services.log.error({ err: error }, "old pushes"));
  /** The time in milliseconds of the last fetch, by a hash of the token and the objects. */
  const fetched = new Map<string, number>();
  /** The time in milliseconds of each user's last push that reached the limit on work. */
  const costly = new Map<string, number>();
  /**
   * Waits for a slot. All users with costly pushes share the slots of one company, so that other users' pushes find a
   * slot.
   */
  const waitForPushSlot = (caller: Caller): Promise<() => void> => {
    for (const [user, at] of costly) if (clock.millis() - at > costlyMs) costly.delete(user);
    const { userId } = caller;
    return shares.pushes.enter(costly.has(userId) ? { companyId: "costly pushes", userId } : caller);
  };

  return async (ctx: Context, next: Next) => {
    if (!address.test(ctx.path)) return next();
    try {
      const identity = authorizeToken(identityFoundForCount(ctx), isPushRequest(ctx) ? "repo:push" : "repo:read");
      await withCaller(await loadQueueCaller(ctx, identity, services), () => serveRepository(ctx, identity));
    } catch (error) {
      answerRefusal(ctx, error);
    }
  };

  async function serveRepository(ctx: Context, identity: Identity): Promise<void> {
    const { companyId } = identity.actor;
    const [, slug, file] = address.exec(ctx.path) ?? [];
    const company = await companies.get(companyId);
    if (slug !== company?.slug) throw new AppError("not_found", refusals.noRepository());
    if (git === null)
      throw new AppError("unavailable", isPushRequest(ctx) ? refusals.cannotPush() : refusals.cannotClone());
    if (isPushRequest(ctx) && services.space.isFull()) throw new AppError("storage_full");
    ctx.set("Cache-Control", "no-store");
    if (file === "info/refs" && ctx.method === "GET") return advertiseRefs(ctx, identity);
    if (file === uploadPack && ctx.method === "POST") return sendPack(ctx, identity);
    if (file === receivePack && ctx.method === "POST") return receivePushRequest(ctx, identity);
    throw new AppError("method_not_allowed");
  }

  async function advertiseRefs(ctx: Context, identity: Identity): Promise<void> {
    const service = ctx.query["service"];
    if (service === undefined) throw new AppError("invalid_input", refusals.oldGit());
    if (service === receivePack) return advertisePush(ctx, identity);
    if (service !== uploadPack) throw new AppError("forbidden", refusals.noService());
    const served = await openRepository(ctx, identity);
    ctx.type = `application/x-${uploadPack}-advertisement`;
    ctx.body = await readAdvertisement(served);
  }

  async function sendPack(ctx: Context, identity: Identity): Promise<void> {
    const type = `application/x-${uploadPack}-request`;
    if (ctx.get("content-type") !== type) throw new AppError("unsupported_type", refusals.otherType({ type }));
    const request = await readUnpackedBody(ctx);
    const served = await openRepository(ctx, identity);
    try {
      await recordFetch(ctx, identity, served, request);
    } catch (error) {
      served.onEnd();
      throw error;
    }
    ctx.type = `application/x-${uploadPack}-result`;
    ctx.body = answerUploadPack(served, request);
  }

  async function advertisePush(ctx: Context, identity: Identity): Promise<void> {
    assertWriter(identity);
    const served = await openRepository(ctx, identity, true);
    try {
      ctx.type = `application/x-${receivePack}-advertisement`;
      ctx.body = await readPushAdvertisement(served.git, served.gitdir);
    } catch (error) {
      served.onFailure();
      throw error;
    } finally {
      served.onEnd();
    }
  }

  async function receivePushRequest(ctx: Context, identity: Identity): Promise<void> {
    const type = `application/x-${receivePack}-request`;
    if (ctx.get("content-type") !== type) throw new AppError("unsupported_type", refusals.otherType({ type }));
    assertWriter(identity);
    await cleared;
    await createFolderOnDisk(realDisk, pushes);
    // receive the body before taking a slot, so that a slow client doesn't block other pushes
    const received = await receivePush(ctx, shares.pushBodies, pushes);
    if (!received) return;
    let isAnswering = false;
    let leavePlace = () => {};
    const endPush = () => received.remove().finally(leavePlace);
    try {
      const request = await readPushRequest(received.path);
      if (request.commands.length === 0) return setPushBody(ctx, "");
      const place = await waitForPushSlot(currentCaller()).catch((error: unknown) => refusePush(ctx, request, error));
      if (!place) return;
      leavePlace = place;
      const { gitdir, leave } = await loadRepositoryForUser(await identifyWriter(ctx), true);
      const sent = new PassThrough();
      sent.on("error", () => undefined);
      setPushBody(ctx, sent);
      isAnswering = true;
      const respond = createPushAnswer((bytes) => void (sent.writable && sent.write(bytes)), request.sideBand);
      void runReceivedPush(ctx, identity, { received, request, respond, gitdir })
        .finally(leave)
        .finally(endPush)
        .catch((error: unknown) => services.log.error({ err: error }, "a push failed"))
        .finally(() => sent.end());
    } finally {
      if (!isAnswering) await endPush();
    }
  }

  interface Push {
    received: ReceivedFile;
    request: PushRequest;
    respond: PushAnswer;
    gitdir: string;
  }

  /** Carries out a push. Reports a failure in git's report, because the client already has the HTTP status. */
  async function runReceivedPush(
    ctx: Context,
    identity: Identity,
    { received, request, respond, gitdir }: Push,
  ): Promise<void> {
    const { commands } = request;
    const refs = new Map<string, string | null>();
    for (const command of commands) {
      const refusal = refusalOfRef(
        command,
        [...refs].some(([, reason]) => reason === null),
      );
      refs.set(command.ref, refusal?.reason ?? null);
      if (refusal) respond.say("", `${command.ref}: ${refusal.reason}.`, ...refusal.ways.map((way) => `  ${way}`));
    }
    const taken = commands.find(({ ref }) => refs.get(ref) === null);
    let unpackProblem: string | undefined;
    let outcome: Record<string, unknown> = { refused: [...refs.values()][0] };
    try {
      if (taken?.to) {
        respond.say("");
        const heads = await readMainAndHistory(gitdir);
        const signal = AbortSignal.any([abortOnDisconnect(ctx), AbortSignal.timeout(longestPushMs)]);
        const body = { path: received.path, packAt: request.packAt, objects: request.objects };
        const { folder } = received;
        const quarantine = await openQuarantine({ git: git ?? "", folder, body, gitdir, heads, signal });
        const { say } = respond;
        const call = {
          services,
          folder,
          identify: () => identifyWriter(ctx),
          origin: originOf(ctx),
          quarantine,
          signal,
          say,
        };
        const counts = await importPush({ ...call, commit: taken.to });
        outcome = { ...counts };
        const left = counts.conflicts + counts.refused;
        const all = left + counts.created + counts.updated + counts.unchanged + counts.proposed;
        if (left > 0)
          refs.set(taken.ref, `${left} of ${all} ${all === 1 ? "document was" : "documents were"} not taken`);
        respond.say("");
      }
    } catch (error) {
      if (error instanceof PushRefused && error.isCostly) costly.set(identity.actor.userId, clock.millis());
      const { reason, isAboutPack } = reportRefusal(error, ctx, respond);
      if (isAboutPack) unpackProblem = reason;
      if (taken) refs.set(taken.ref, isAboutPack ? "unpacker error" : reason);
      outcome = { refused: reason };
    }
    try {
      await recordPush(ctx, identity, { refs: commands.map(({ ref }) => ref).slice(0, 20), ...outcome });
    } catch (error) {
      services.log.error({ err: error }, "a push could not be recorded");
    }
    respond.report(refs, unpackProblem);
  }

  function reportRefusal(error: unknown, ctx: Context, respond: PushAnswer): { reason: string; isAboutPack: boolean } {
    if (error instanceof PushRefused) {
      respond.say(`${error.message}.`, ...(error.hint === undefined ? [] : [`  ${error.hint}`]), "Nothing was taken.");
      return { reason: error.message, isAboutPack: error.isAboutPack };
    }
    const { refusal } = refusalBody(error, ctx, services.log);
    respond.say(`${refusal.message}.`);
    return { reason: refusal.message, isAboutPack: false };
  }

  async function recordPush(ctx: Context, { user }: Identity, changes: Record<string, unknown>): Promise<void> {
    await recordAudit(services.db, {
      companyId: user.companyId,
      userId: user._id,
      userName: printedName(user),
      action: "repository.push",
      entityType: "company",
      entityId: user.companyId,
      changes,
      at: clock.now(),
      origin: originOf(ctx),
    });
  }

  /**
   * Identifies the user again after the body was received, because the user can lose access meanwhile.
   * @throws AppError if the user can't push anymore
   */
  async function identifyWriter(ctx: Context): Promise<Identity> {
    const identity = authorizeToken(await identify(ctx), "repo:push");
    assertWriter(identity);
    return identity;
  }

  function assertWriter({ actor }: Identity): void {
    if (!can(actor, "sop.create")) throw new AppError("forbidden", refusals.cannotWrite());
  }

  async function readMainAndHistory(gitdir: string): Promise<string[]> {
    const heads = await Promise.all([mainRef, historyRef].map((name) => readRef(realDisk, gitdir, name)));
    return heads.filter((head) => head !== null);
  }

  /** Opens the repository for git, in a slot that is held until the answer is sent. */
  async function openRepository(ctx: Context, identity: Identity, proposes = false): Promise<ServedRepository> {
    const protocol = ctx.get("git-protocol");
    await holdSlotUntilSent(ctx, shares.clones);
    const { gitdir, leave, forget, partial } = await loadRepositoryForUser(identity, proposes);
    return {
      git: git ?? "",
      gitdir,
      // no partial clones of a copy: it changes with its user's permissions, so files that git fetches later could be
      // missing
      partial,
      protocol: protocols.test(protocol) ? protocol : undefined,
      signal: abortOnDisconnect(ctx),
      onEnd: leave,
      onFailure: () => heal.failed(identity.actor.companyId, gitdir, forget),
      onSent: () => heal.sent(identity.actor.companyId, gitdir, forget),
    };
  }

  /**
   * Opens the repository that the user can clone now: the company's or a copy. Waits for its latest commits.
   * @param proposes true for a push, which needs no proposals
   */
  async function loadRepositoryForUser(
    { actor }: Identity,
    proposes = false,
  ): Promise<RepositoryCopy & { partial: boolean }> {
    const { companyId } = actor;
    await Promise.race([repositories.drain(companyId).catch(() => undefined), wait(catchUpMs, null, { ref: false })]);
    const partial = await mayCloneEverything(services, actor);
    const proposals = proposes ? [] : await loadFetchableProposals(services, actor);
    const { gitdir, leave, forget } = partial
      ? await wholeRepository(git ?? "", companyId, proposals)
      : await copies.copyFor(actor, proposals);
    if ((await readRef(realDisk, gitdir, mainRef)) === null) {
      throw new AppError("busy", refusals.beingBuilt());
    }
    return { gitdir, leave, forget, partial };
  }

  function wholeRepository(
    binary: string,
    companyId: string,
    proposals: readonly FetchableProposal[],
  ): RepositoryCopy | Promise<RepositoryCopy> {
    const gitdir = repositories.path(companyId);
    if (proposals.length === 0) return { gitdir, leave: () => undefined, forget: () => undefined };
    const from = { git: binary, gitdir, companyId, onFailure: () => heal.failed(companyId, gitdir, () => undefined) };
    return createRepositoryWithProposals(services, cache, from, proposals);
  }

  /**
   * Records a clone or a fetch in the audit log. The request is a clone if the client has no commits and wants a head.
   * Later requests of a partial clone are recorded as fetches.
   */
  async function recordFetch(
    ctx: Context,
    identity: Identity,
    { gitdir }: ServedRepository,
    request: Buffer,
  ): Promise<void> {
    const { wants, has } = parseWants(request);
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
    await recordAudit(services.db, {
      companyId: user.companyId,
      userId: user._id,
      userName: printedName(user),
      action: isClone ? "repository.clone" : "repository.fetch",
      entityType: "company",
      entityId: user.companyId,
      changes: { branches: wantedBranches(wants, heads) },
      at: clock.now(),
      origin: originOf(ctx),
    });
  }

  /** Reads the body of a request. Decompresses it if needed, because git compresses large requests with gzip. */
  async function readUnpackedBody(ctx: Context): Promise<Buffer> {
    const limit = limits.gitRequest;
    const encoding = ctx.get("content-encoding");
    delete ctx.req.headers["content-encoding"];
    const bytes = await readBytes(ctx, limit, shares.bodies);
    if (encoding !== "gzip" && encoding !== "x-gzip") return bytes;
    return unpacked(bytes, { maxOutputLength: limit }).catch(() => {
      throw new AppError("invalid_input", refusals.packedRequest());
    });
  }

  function authorizeToken(found: IdentifiedUser | null, scope: TokenScope): Identity {
    // a browser session isn't accepted, because a page of another site could send its cookie
    if (!found?.scopes) throw new AppError("unauthenticated", refusals.tokenNeeded());
    if (!found.scopes.includes(scope)) throw new AppError("forbidden", refusals.missingScope({ scope }));
    return found.identity;
  }

  /** Answers a refusal as plain text, which git shows to its user. */
  function answerRefusal(ctx: Context, error: unknown): void {
    const { refusal, body: told } = refusalBody(error, ctx, services.log);
    const by = ctx.state["knownUser"] as KnownUser | undefined;
    if (by && (refusal.code === "forbidden" || refusal.code === "unauthenticated" || refusal.code === "not_found")) {
      const { status, code } = refusal;
      const call = isPushRequest(ctx) ? "repository.push" : "repository.clone";
      denials.note({ by, call, entityId: null, status, code, origin: originOf(ctx) });
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

function wantedBranches(wants: readonly string[], [main, history]: readonly (string | null)[]): string[] {
  return [
    ...(main && wants.includes(main) ? ["main"] : []),
    ...(history && wants.includes(history) ? ["history"] : []),
  ];
}

function isPushRequest({ path: of, query }: Context): boolean {
  return of.endsWith(receivePack) || query["service"] === receivePack;
}
