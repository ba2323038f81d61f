import { randomBytes } from "node:crypto";
import { addressWithoutFinalSlash } from "#core/addresses/web-address.ts";
import type { MirrorUpdate } from "#core/mirror/schema.ts";
import { AppError } from "#core/errors.ts";
import { changedFieldValues } from "../audit/record.ts";
import type { PlainAction } from "../effects/events.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import type { IncomingDocument, MirrorDocument } from "../database/documents.ts";
import { transactionFor } from "../database/turns.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { pathOfSealedField } from "../keys/sealed-values.ts";
import { RemoteProblem } from "../outgoing/addresses.ts";
import { parseMirrorAddress } from "./hosts.ts";
import { loadPausedMirrorIds, resumeMirror } from "./paused.ts";
import { presentMirror, readMirror, stateBeforeFirstPass, webhookAddress } from "./store.ts";
import { refusals } from "./refusals.ts";

export function mirrorHandlers(services: Services): Handlers<"mirror"> {
  const { db, clock, keys, config } = services;

  function parseEnteredAddress(text: string): string {
    try {
      return addressWithoutFinalSlash(parseMirrorAddress(text, config.mirrorHosts));
    } catch (error) {
      if (!(error instanceof RemoteProblem)) throw error;
      throw new AppError("invalid_input", error.sentence, { url: error.sentence });
    }
  }

  /**
   * Stores the mirror that `next` returns, or deletes the mirror if `next` returns null. Records the change in the same
   * transaction.
   * @param resumes says whether a mirror that a restore paused runs again
   */
  async function changeMirror(
    call: SignedInCall,
    action: PlainAction,
    next: (before: MirrorDocument | null, at: string) => MirrorDocument | null,
    resumes: (before: MirrorDocument | null) => boolean = () => false,
  ): Promise<MirrorDocument | null> {
    const { companyId } = call.identity.actor;
    const at = clock.now();
    return transactionFor(db, companyId, async (tx) => {
      const mirrors = tx.forCompany(companyId).collection("mirrors");
      const before = await mirrors.findOne({ _id: companyId });
      const after = next(before, at);
      if (resumes(before)) await resumeMirror(tx, companyId, at);
      if (after === null) await mirrors.deleteOne({ _id: companyId });
      else if (before === null) await mirrors.insertOne(after);
      else {
        const { _id, companyId: _of, ...fields } = after;
        await mirrors.updateOne({ _id }, { $set: fields });
      }
      await recordChange(
        tx,
        call,
        { companyId, at, hears: { resources: ["mirror", "stats"] } },
        { action, entityType: "company", entityId: companyId, changes: auditedMirrorChanges(before, after) },
      );
      return after;
    });
  }

  return {
    async get({ identity }) {
      const { companyId } = identity.actor;
      return presentMirror(services, companyId, await readMirror(services, companyId));
    },

    async update(call) {
      const { body, identity } = call;
      const { companyId } = identity.actor;
      const url = parseEnteredAddress(body.url);
      const sealed = body.token ? keys.seal(body.token, pathOfSealedField("mirrors", companyId, "token")) : null;
      const mirror = await changeMirror(
        call,
        "mirror.update",
        (before, at) => mirrorAfterUpdate(before, { ...body, url }, { companyId, sealed, at, by: identity.user._id }),
        // a new remote resumes the mirror: the installation before the restore doesn't push to it
        (before) => before?.url !== url,
      );
      return presentMirror(services, companyId, mirror);
    },

    async remove(call) {
      const removedMirror = (before: MirrorDocument | null) => {
        if (before === null) throw new AppError("not_found", refusals.noMirror());
        return null;
      };
      await changeMirror(call, "mirror.remove", removedMirror, () => true);
      return { ok: true };
    },

    async take(call) {
      const mirror = await changeMirror(call, "mirror.take", (before) => {
        if (before === null) throw new AppError("not_found", refusals.noMirror());
        if (!before.diverged.some(({ ref }) => ref.startsWith("refs/heads/")))
          throw new AppError("conflict", refusals.noOtherCommits());
        return { ...before, isTaking: true, retryAt: null, round: before.round + 1 };
      });
      return presentMirror(services, call.identity.actor.companyId, mirror);
    },

    async secret(call) {
      const { companyId } = call.identity.actor;
      const secret = randomBytes(32).toString("base64url");
      await changeMirror(call, "mirror.secret", (before) => {
        if (!before?.incoming) throw new AppError("conflict", refusals.branchNeeded());
        return {
          ...before,
          secret: keys.seal(secret, pathOfSealedField("mirrors", companyId, "secret")),
          round: before.round + 1,
        };
      });
      const company = await services.companies.get(companyId);
      return { secret, url: webhookAddress(services.address.url, company?.slug ?? "") };
    },

    async check(call) {
      const isPaused = (await loadPausedMirrorIds(db)).has(call.identity.actor.companyId);
      const restarted = (before: MirrorDocument | null) => {
        if (before === null) throw new AppError("not_found", refusals.noMirror());
        return { ...before, ...stateBeforeFirstPass, round: before.round + 1 };
      };
      const mirror = await changeMirror(call, isPaused ? "mirror.resume" : "mirror.check", restarted, () => isPaused);
      return presentMirror(services, call.identity.actor.companyId, mirror);
    },
  };
}

interface MirrorUpdateContext {
  companyId: string;
  /** The sealed new token; null keeps the stored one. */
  sealed: string | null;
  at: string;
  by: string;
}

/**
 * Returns the mirror after an update. The stored token belongs to one remote, so an update with another address needs a
 * new token.
 */
function mirrorAfterUpdate(
  before: MirrorDocument | null,
  { url, username, provider, history, restricted, witness, incoming: branch }: MirrorUpdate,
  { companyId, sealed, at, by }: MirrorUpdateContext,
): MirrorDocument {
  const isSame = before?.url === url;
  const token = sealed ?? (isSame ? before.token : null);
  if (token === null) {
    const message = before === null ? refusals.tokenNeeded() : refusals.newTokenNeeded();
    throw new AppError("invalid_input", message, { token: message });
  }
  const kept = isSame ? before : { pushedSeq: -1, pushedMain: null, pushedAt: null };
  return {
    _id: companyId,
    companyId,
    url,
    username,
    token,
    provider,
    history,
    restricted,
    witness,
    witnessedAt: isSame ? (before.witnessedAt ?? null) : null,
    updatedAt: at,
    updatedBy: by,
    round: (before?.round ?? 0) + 1,
    ...stateBeforeFirstPass,
    pushedSeq: kept.pushedSeq,
    pushedMain: kept.pushedMain,
    pushedAt: kept.pushedAt,
    secret: before?.secret ?? null,
    isCalled: false,
    incoming: branch ? (isSame && incomingIfSameBranch(before, branch)) || newIncoming(branch) : null,
  };
}

const incomingIfSameBranch = ({ incoming }: MirrorDocument, branch: string) =>
  incoming?.branch === branch ? incoming : null;

function newIncoming(branch: string): IncomingDocument {
  return { branch, head: null, main: null, polledAt: null, taken: null, problem: null, open: 0, statuses: [] };
}

/** Returns the changes for the audit log. They only say that a token was replaced, without its text or stored form. */
function auditedMirrorChanges(before: MirrorDocument | null, after: MirrorDocument | null): Record<string, unknown> {
  const auditedMirror = (mirror: MirrorDocument | null) =>
    mirror === null
      ? {}
      : {
          url: mirror.url,
          username: mirror.username,
          provider: mirror.provider,
          history: mirror.history,
          ...(mirror.restricted ? { restricted: true } : {}),
          ...(mirror.witness ? { witness: true } : {}),
          ...(mirror.incoming ? { incoming: mirror.incoming.branch } : {}),
        };
  const token = before && after && before.token !== after.token ? { token: "replaced" } : {};
  return { ...changedFieldValues(auditedMirror(before), auditedMirror(after)), ...token };
}
