/**
 * A pass of a mirror: pushes the commits that the remote lacks, takes in the changes that others merged there, and
 * stores the result.
 */
import type { IncomingDocument, MirrorDocument } from "../database/documents.ts";
import { transactionFor } from "../database/turns.ts";
import type { PlainAction } from "../effects/events.ts";
import { byServer, recordChange } from "../effects/record.ts";
import type { Services } from "../http/services.ts";
import { RemoteProblem } from "../outgoing/addresses.ts";
import { countOpenProposals, followIncomingBranch } from "./incoming.ts";
import { pushMirror, type PushedRefs } from "./push.ts";
import { sendStatus, loadCommitState } from "./statuses.ts";
import { firstRetryMs, longestRetryMs, decryptMirrorToken } from "./store.ts";
import { proposeCommitsFromBranch, type TakePass } from "./take.ts";
import { refusals } from "./refusals.ts";

interface MirrorPass {
  services: Services;
  git: string | null;
  mirror: MirrorDocument;
  /** Ends the pass, because it takes too long or `stopped` is aborted. */
  signal: AbortSignal;
  /** Aborted when another server takes over the mirror, or this one stops. The pass then stores nothing more. */
  stopped: AbortSignal;
}

export async function runAndStorePass({ stopped, ...rest }: MirrorPass): Promise<void> {
  const { services, mirror, signal } = rest;
  const { log } = services;
  try {
    const opened = decryptMirrorToken(services, mirror);
    if (!opened.ok) throw new RemoteProblem(refusals.unreadableToken());
    const remote = { url: mirror.url, username: mirror.username, token: opened.text };
    const change = await pushAndFollowBranch({ ...rest, remote });
    if (!stopped.aborted) await storeMirrorChange(services, mirror, change);
  } catch (error) {
    if (stopped.aborted) return;
    const isKnown = error instanceof RemoteProblem;
    if (!isKnown) log.error({ companyId: mirror._id, err: error }, "a mirror failed");
    else if (error.cause !== undefined) log.info({ companyId: mirror._id, git: error.cause }, "a mirror's git said");
    const other = signal.aborted ? refusals.slow() : refusals.serverFailed();
    await storeProblem(services, mirror, isKnown ? error.message : other.text);
  }
}

interface MirrorChange {
  set: Partial<MirrorDocument>;
  audits: { action: PlainAction; changes: Record<string, unknown> }[];
}

async function pushAndFollowBranch(pass: TakePass): Promise<MirrorChange> {
  const { services, mirror } = pass;
  if (mirror.diverged.length > 0) return proposeDivergedCommits(pass);
  const pushed = await pushMirror(pass);
  const change = mirrorChangeAfterPush(services, mirror, pushed);
  if (mirror.incoming === null || pushed.diverged.length > 0) return change;
  const incoming = await followIncomingSafely(pass, mirror.incoming);
  const isNew = incoming.taken !== null && incoming.taken.at !== mirror.incoming.taken?.at;
  return {
    set: { ...change.set, incoming: await reportStatuses(pass, incoming) },
    audits: [...change.audits, ...(isNew && incoming.taken ? [proposedAuditEntry(incoming.taken)] : [])],
  };
}

/**
 * Follows the remote's branch. A problem with the branch is stored in its state, because the push has already
 * succeeded.
 */
async function followIncomingSafely(pass: TakePass, before: IncomingDocument): Promise<IncomingDocument> {
  try {
    return await followIncomingBranch(pass, before);
  } catch (error) {
    if (!(error instanceof RemoteProblem)) throw error;
    return { ...before, polledAt: pass.services.clock.now(), problem: error.message };
  }
}

async function proposeDivergedCommits(pass: TakePass): Promise<MirrorChange> {
  const branch = pass.mirror.diverged.find(({ ref }) => ref.startsWith("refs/heads/"));
  if (!pass.mirror.isTaking || !branch) return { set: { isTaking: false }, audits: [] };
  const stoppedTaken = await proposeCommitsFromBranch(pass, branch.ref);
  return {
    set: { isTaking: false, stoppedTaken, problem: null, failures: 0, retryAt: null },
    audits: [proposedAuditEntry(stoppedTaken)],
  };
}

function proposedAuditEntry({ ref, commit, proposed, refused }: NonNullable<IncomingDocument["taken"]>) {
  return { action: "mirror.proposed" as const, changes: { ref, commit, proposed, refused } };
}

function mirrorChangeAfterPush(
  { clock, log }: Services,
  mirror: MirrorDocument,
  { seq, main, refs, diverged, witnessedAt }: PushedRefs,
): MirrorChange {
  const at = clock.now();
  const done = {
    witnessedAt,
    problem: null,
    failures: 0,
    retryAt: null,
    checkedAt: at,
    isCalled: false,
  } satisfies Partial<MirrorDocument>;
  if (diverged.length === 0) {
    return { set: { ...done, pushedSeq: seq, pushedMain: main, ...(refs > 0 ? { pushedAt: at } : {}) }, audits: [] };
  }
  log.warn({ companyId: mirror._id }, "a mirror diverged and is stopped");
  const changes = { refs: diverged.map(({ ref, theirs, ours }) => ({ ref, theirs, ours })) };
  return { set: { ...done, diverged }, audits: [{ action: "mirror.diverged", changes }] };
}

/** Reports the state of each commit's proposals to the remote. If the host refuses the report, the pass continues. */
async function reportStatuses(pass: TakePass, incoming: IncomingDocument): Promise<IncomingDocument> {
  const { services, mirror, remote, signal } = pass;
  const statuses: IncomingDocument["statuses"] = [];
  let { problem } = incoming;
  for (const status of incoming.statuses) {
    const isFinal = status.sent === "success" || status.sent === "failure";
    const state =
      isFinal || mirror.provider === "other" ? null : await loadCommitState(pass, status.commit, status.refused);
    if (state === null || status.sent === state.state) {
      statuses.push(status);
      continue;
    }
    try {
      await sendStatus(
        { hosts: services.config.mirrorHosts, provider: mirror.provider, signal },
        remote,
        status.commit,
        state,
      );
      statuses.push({ ...status, sent: state.state });
    } catch (error) {
      if (!(error instanceof RemoteProblem)) throw error;
      problem ??= error.message;
      statuses.push(status);
    }
  }
  return { ...incoming, problem, statuses, open: await countOpenProposals(services, mirror._id) };
}

async function storeProblem(services: Services, mirror: MirrorDocument, problem: string): Promise<void> {
  const { clock, log } = services;
  const failures = mirror.failures + 1;
  const pause = Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 10), longestRetryMs);
  const retryAt = new Date(clock.millis() + pause).toISOString();
  if (problem !== mirror.problem) log.warn({ companyId: mirror._id, problem }, "a mirror can't be pushed to");
  const checkedAt = clock.now();
  await storeMirrorChange(services, mirror, {
    set: { problem, failures, retryAt, checkedAt, isCalled: false },
    audits: [],
  });
}

/** Stores the result of a pass, unless the settings changed during the pass. */
function storeMirrorChange(
  { db, clock }: Services,
  { _id: companyId, round }: MirrorDocument,
  { set, audits }: MirrorChange,
) {
  const at = clock.now();
  return transactionFor(db, companyId, async (tx) => {
    const mirrors = tx.forCompany(companyId).collection("mirrors");
    const { matchedCount } = await mirrors.updateOne({ _id: companyId, round }, { $set: set });
    if (matchedCount === 0) return;
    // every saved draft causes a push, so only users who see the page of the mirror get this event
    await recordChange(
      tx,
      byServer,
      {
        companyId,
        at,
        hears: { resources: audits.length > 0 ? ["mirror", "stats"] : ["mirror"], alsoFor: "settings" },
      },
      ...audits.map((audit) => ({ ...audit, entityType: "company", entityId: companyId })),
    );
  });
}
