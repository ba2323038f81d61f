/**
 * Commits the ledger's events to one repository, in seq order. The order of writes makes every crash harmless: objects,
 * tags, notes, `main`, `history` (which shows the last event), then the ledger's record of the commits. Repeated work
 * produces the same bytes.
 */
import { setImmediate } from "node:timers/promises";
import { createUnreadableEvent, type CommitIds, type RepoEvent } from "#core/repository/event.ts";
import { LedgerError, projectEvent, type ProjectedEvent } from "#core/repository/project.ts";
import { movingRefs, type MovingRef, type OpenRepository } from "./bare-repository.ts";
import { createContentsReader, type ContentsReader } from "./contents.ts";
import type { Disk } from "./disk.ts";
import { sha1 } from "./sha1.ts";
import type { Ledger } from "./ledger.ts";
import { writeLooseObjects, type NewObject } from "./loose-writer.ts";
import { packLooseObjects } from "./maintenance.ts";
import { eventDigest, standInName, writeStandIns, type StandIn } from "./stand-ins.ts";
import { addTags, moveRefIfUnchanged, type LockOptions } from "./refs.ts";

export interface CommitterSettings {
  disk: Disk;
  ledger: Ledger;
  /** The path of git; null if there is none. */
  git: string | null;
  /** The number of events after which the refs move and the ledger is written (200). */
  eventsAtOnce?: number;
  /**
   * The maximum number of loose objects. A long backlog then waits until git has packed them, because each object takes
   * a block of the disk.
   */
  looseAtMost: number;
  lock?: LockOptions;
}

/** Thrown if another committer moved a ref. The caller loads the repository again and continues from there. */
export class RefMovedError extends Error {
  constructor(ref: MovingRef) {
    super(`${ref} was moved by another committer`);
    this.name = "RefMovedError";
  }
}

/**
 * Thrown if the event was already committed with other content. After the repository is marked and loaded again, a note
 * replaces the event.
 */
export class AlteredEventError extends LedgerError {}

const usualEventsAtOnce = 200;
/** The widest gap between numbers of events. A wider gap comes from an altered number. */
const gapAtMost = 100_000;

export interface CommittedRun {
  events: number;
  /** The number of loose objects that the run left. */
  loose: number;
}

/**
 * Commits every waiting event. After an error, the state in memory is ahead of the disk, so it must be loaded again.
 * @throws LedgerError, AlteredEventError, RefMovedError, or errors of the disk, git or the ledger
 */
export async function commitWaitingEvents(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
  repository: OpenRepository,
): Promise<CommittedRun> {
  const { git, looseAtMost } = settings;
  const drained: CommittedRun = { events: 0, loose: 0 };
  for (;;) {
    const events = await readNextEvents(settings, companyId, repository);
    if (events.length === 0) return drained;
    drained.loose += await commitEvents(settings, companyId, gitdir, repository, events);
    drained.events += events.length;
    if (git === null || drained.loose < looseAtMost) continue;
    await packLooseObjects(git, gitdir);
    drained.loose = 0;
  }
}

/** Reads the next events. A stand-in replaces each event that can't be read or was altered. */
async function readNextEvents(
  { ledger, eventsAtOnce = usualEventsAtOnce }: CommitterSettings,
  companyId: string,
  { state, standIns }: OpenRepository,
): Promise<RepoEvent[]> {
  const events: RepoEvent[] = [];
  let next = state.seq + 1;
  for (const event of await ledger.events(companyId, next, eventsAtOnce)) {
    for (; next < event.seq && event.seq - next <= gapAtMost; next += 1) {
      events.push(createUnreadableEvent(companyId, next));
      addStandIn(standIns, { kind: "event", seq: next, digest: null });
    }
    const isAltered = standIns.some((one) => one.kind === "event" && one.seq === event.seq);
    events.push(isAltered ? createUnreadableEvent(companyId, event.seq) : event);
    next = event.seq + 1;
  }
  const isAfterUnreadable = standIns.some(({ kind }) => kind === "event");
  return isAfterUnreadable ? events.map((event) => ({ ...event, isAfterUnreadable })) : events;
}

/**
 * Commits events. Moves the refs once and writes the ledger once.
 * @returns the number of written objects, without assets
 */
async function commitEvents(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
  repository: OpenRepository,
  events: readonly RepoEvent[],
): Promise<number> {
  const { state } = repository;
  const projected: ProjectedEvent[] = [];
  const pending: number[] = [];
  let written = 0;
  const reader = createSafeReader(settings, companyId, repository, events);
  try {
    for (const event of events) {
      const contents = await reader.read(state, event, (oid, content) =>
        writeLooseObjects(settings.disk, gitdir, [{ type: "blob", oid, content }]),
      );
      const objects: NewObject[] = [];
      const made = projectEvent(state, event, contents, sha1, (type, oid, content) => {
        objects.push({ type, oid, content });
      });
      await assertSameAsStored(settings, gitdir, event, made.oids, repository);
      await writeLooseObjects(settings.disk, gitdir, objects);
      written += objects.length;
      projected.push(made);
      if (event.state === "pending") pending.push(event.seq);
      // let requests run: with 50,000 SOPs an event takes 5 ms, mostly for git's folders
      await setImmediate();
    }
  } finally {
    // record the events before one that can't be committed
    await recordCommits(settings, companyId, gitdir, repository, projected, pending);
  }
  return written;
}

/** Reads contents so that an unreadable asset, version or event doesn't keep other changes out of git. */
function createSafeReader(
  { ledger }: CommitterSettings,
  companyId: string,
  { standIns }: OpenRepository,
  events: readonly RepoEvent[],
): ContentsReader {
  return createContentsReader(ledger, companyId, events, (one) => addStandIn(standIns, one));
}

function addStandIn(standIns: StandIn[], one: StandIn): void {
  if (!standIns.some((known) => standInName(known) === standInName(one))) standIns.push(one);
}

/**
 * Compares a computed commit with the id that the ledger stored. Every server makes the same bytes, so another id means
 * that the ledger or a version was changed. The event is then marked, so that a note replaces it.
 * @throws AlteredEventError
 */
async function assertSameAsStored(
  { disk }: CommitterSettings,
  gitdir: string,
  event: RepoEvent,
  made: CommitIds,
  { standIns }: OpenRepository,
): Promise<void> {
  const { seq, oids: stored, state } = event;
  if (state === "pending" || standIns.length > 0) return;
  for (const branch of ["history", "main"] as const) {
    if (stored[branch] === made[branch]) continue;
    await writeStandIns(disk, gitdir, [{ kind: "event", seq, digest: eventDigest(event) }]);
    throw new AlteredEventError(seq, `makes ${made[branch]} on ${branch}, but ${stored[branch]} was committed before`);
  }
}

async function recordCommits(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
  repository: OpenRepository,
  projected: readonly ProjectedEvent[],
  pending: readonly number[],
): Promise<void> {
  const isTrue = repository.standIns.length === 0;
  if (!isTrue) await writeStandIns(settings.disk, gitdir, repository.standIns);
  await addTags(
    settings.disk,
    gitdir,
    projected.flatMap((event) => event.tags),
    settings.lock,
  );
  for (const ref of ["notes", "main", "history"] as const) await moveRef(settings, gitdir, repository, ref, projected);
  // record only commits that the ledger can reproduce
  if (pending.length === 0 || !isTrue) return;
  const waiting = new Set(pending);
  const commits = projected.filter(({ seq }) => waiting.has(seq)).map(({ seq, oids }) => ({ seq, oids }));
  await settings.ledger.acknowledge(companyId, commits);
}

async function moveRef(
  settings: CommitterSettings,
  gitdir: string,
  repository: OpenRepository,
  ref: MovingRef,
  projected: readonly ProjectedEvent[],
): Promise<void> {
  const onDisk = repository.refs[ref];
  const idOfProjected = ({ oids, notes }: ProjectedEvent) => (ref === "notes" ? notes : oids[ref]);
  const same = projected.find((event) => event.seq === onDisk.seq);
  if (same !== undefined && idOfProjected(same) !== onDisk.oid) {
    throw new LedgerError(same.seq, `makes ${idOfProjected(same)} on ${ref}, but the repository holds ${onDisk.oid}`);
  }
  const last = projected.findLast((event) => idOfProjected(event) !== null);
  const next = last === undefined ? null : idOfProjected(last);
  if (last === undefined || next === null || last.seq <= onDisk.seq) return;
  const current = await moveRefIfUnchanged(settings.disk, gitdir, movingRefs[ref], onDisk.oid, next, settings.lock);
  if (current !== next) throw new RefMovedError(ref);
  repository.refs[ref] = { oid: next, seq: last.seq };
}
