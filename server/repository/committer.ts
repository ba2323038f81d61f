/**
 * Commits the ledger's events to one repository, in seq order. The order of writes makes every crash harmless: objects,
 * tags, notes, `main`, `history` (the cursor), then the acknowledgement. Repeated work produces the same bytes.
 */
import { randomBytes } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { CommitIds, RepoEvent } from "#core/repository/event.ts";
import { LedgerError, projectEvent, type Projected } from "#core/repository/project.ts";
import { movingRefs, type MovingRef, type OpenRepository } from "./bare-repository.ts";
import { contentsReader } from "./contents.ts";
import type { Disk } from "./disk.ts";
import { sha1 } from "./hashing.ts";
import type { Ledger } from "./ledger.ts";
import { writeLoose, type NewObject } from "./loose-writer.ts";
import { createPack } from "./pack-writer.ts";
import { addTags, compareAndSwap, type LockOptions } from "./refs.ts";

export interface CommitterSettings {
  disk: Disk;
  ledger: Ledger;
  /** The git binary; null: there is none. */
  git: string | null;
  /** This many waiting events are a backlog. */
  backlogFrom: number;
  lock?: LockOptions;
}

export interface Drained {
  /** Commits of single versions, whose objects are loose. */
  single: number;
  backlog: number;
}

/** Another committer moved a ref: load again and go on from there. */
export class RefMovedError extends Error {
  constructor(ref: MovingRef) {
    super(`${ref} was moved by another committer`);
    this.name = "RefMovedError";
  }
}

const chunk = 200;
/** A backlog's acknowledgements wait until its pack is complete, so packs are bounded. */
const longestBacklog = 5_000;

/**
 * Commits every event that waits. After an error the state in memory is ahead of the disk: throw it away and load again.
 * @throws LedgerError, RefMovedError, or what the disk or the ledger throws
 */
export async function drainInto(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
  repository: OpenRepository,
): Promise<Drained> {
  const drained: Drained = { single: 0, backlog: 0 };
  for (;;) {
    const events = await settings.ledger.events(companyId, repository.state.seq + 1, settings.backlogFrom);
    if (events.length === 0) return drained;
    if (events.length >= settings.backlogFrom) {
      drained.backlog += await commitBacklog(settings, companyId, gitdir, repository, events);
      continue;
    }
    await commitFew(settings, companyId, gitdir, repository, events);
    drained.single += events.length;
  }
}

/** Their objects are loose. The refs move once, and the ledger is written once. */
async function commitFew(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
  repository: OpenRepository,
  events: readonly RepoEvent[],
): Promise<void> {
  const { state } = repository;
  const projected: Projected[] = [];
  const pending: number[] = [];
  const reader = contentsReader(settings.ledger, companyId, events);
  try {
    for (const event of events) {
      const contents = await reader.read(state, event, (oid, content) =>
        writeLoose(settings.disk, gitdir, [{ type: "blob", oid, content }]),
      );
      const objects: NewObject[] = [];
      const made = projectEvent(state, event, contents, sha1, (type, oid, content) => {
        objects.push({ type, oid, content });
      });
      assertStored(event.seq, event.oids, made.oids, event.state);
      await writeLoose(settings.disk, gitdir, objects);
      projected.push(made);
      if (event.state === "pending") pending.push(event.seq);
    }
  } finally {
    // those before an event that can't be committed
    await record(settings, companyId, gitdir, repository, projected, pending);
  }
}

async function commitBacklog(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
  repository: OpenRepository,
  first: readonly RepoEvent[],
): Promise<number> {
  const { state } = repository;
  const projected: Projected[] = [];
  const pending: number[] = [];
  const pack = await createPack(settings.disk, gitdir, randomBytes(8).toString("hex"));
  try {
    for (let events = first; events.length > 0 && projected.length < longestBacklog;) {
      const reader = contentsReader(settings.ledger, companyId, events);
      for (const event of events) {
        const contents = await reader.read(state, event, (oid, content) => pack.put("blob", oid, content));
        const made = projectEvent(state, event, contents, sha1, pack.add);
        assertStored(event.seq, event.oids, made.oids, event.state);
        projected.push(made);
        if (event.state === "pending") pending.push(event.seq);
        await pack.flush();
        // with 50,000 SOPs an event takes 5 ms, mostly for git's folders
        await setImmediate();
      }
      events = await settings.ledger.events(companyId, state.seq + 1, chunk);
    }
    await pack.finish();
  } catch (error) {
    await pack.abort();
    throw error;
  }
  await record(settings, companyId, gitdir, repository, projected, pending);
  return projected.length;
}

/** Every server makes the same bytes: another id than the stored one means that ledger or versions were changed. */
function assertStored(seq: number, stored: CommitIds, made: CommitIds, state: RepoEvent["state"]): void {
  if (state === "pending") return;
  for (const branch of ["history", "main"] as const) {
    if (stored[branch] !== made[branch]) {
      throw new LedgerError(seq, `makes ${made[branch]} on ${branch}, but ${stored[branch]} was committed before`);
    }
  }
}

async function record(
  settings: CommitterSettings,
  companyId: string,
  gitdir: string,
  repository: OpenRepository,
  projected: readonly Projected[],
  pending: readonly number[],
): Promise<void> {
  await addTags(
    settings.disk,
    gitdir,
    projected.flatMap((event) => event.tags),
    settings.lock,
  );
  for (const ref of ["notes", "main", "history"] as const) await moveRef(settings, gitdir, repository, ref, projected);
  if (pending.length === 0) return;
  const waiting = new Set(pending);
  const commits = projected.filter(({ seq }) => waiting.has(seq)).map(({ seq, oids }) => ({ seq, oids }));
  await settings.ledger.acknowledge(companyId, commits);
}

async function moveRef(
  settings: CommitterSettings,
  gitdir: string,
  repository: OpenRepository,
  ref: MovingRef,
  projected: readonly Projected[],
): Promise<void> {
  const onDisk = repository.refs[ref];
  const madeBy = ({ oids, notes }: Projected) => (ref === "notes" ? notes : oids[ref]);
  const same = projected.find((event) => event.seq === onDisk.seq);
  if (same !== undefined && madeBy(same) !== onDisk.oid) {
    throw new LedgerError(same.seq, `makes ${madeBy(same)} on ${ref}, but the repository holds ${onDisk.oid}`);
  }
  const last = projected.findLast((event) => madeBy(event) !== null);
  const next = last === undefined ? null : madeBy(last);
  if (last === undefined || next === null || last.seq <= onDisk.seq) return;
  const current = await compareAndSwap(settings.disk, gitdir, movingRefs[ref], onDisk.oid, next, settings.lock);
  if (current !== next) throw new RefMovedError(ref);
  repository.refs[ref] = { oid: next, seq: last.seq };
}
