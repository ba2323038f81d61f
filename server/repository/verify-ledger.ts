/**
 * Computes every commit again from the ledger. After a fault, the check continues from the state in git, so that the
 * check also finds later faults.
 */
import type { CommitIds, RepoEvent } from "#core/repository/event.ts";
import {
  emptyRepositoryState,
  publicationTagsOf,
  LedgerError,
  projectEvent,
  type ProjectedEvent,
  type RepositoryState,
  type TagObject,
} from "#core/repository/project.ts";
import { DatabaseUnavailableError } from "../database/port.ts";
import { historyRef, loadRepository } from "./bare-repository.ts";
import { findContentFaults, createContentsReader, type ContentsReader } from "./contents.ts";
import type { Disk } from "./disk.ts";
import { sha1 } from "./sha1.ts";
import type { Ledger } from "./ledger.ts";
import { createReader } from "./reader.ts";
import { readRef } from "./refs.ts";
import { hasStandIns } from "./stand-ins.ts";
import { failureReason } from "../foreign-failure.ts";

export interface LedgerFinding {
  /** The event that differs; null if unknown. */
  seq: number | null;
  /**
   * `ledger`: the database differs from the commits. `repository`: the copy on disk differs. `expect`: the given head
   * is unknown.
   */
  where: "ledger" | "repository" | "expect";
  message: string;
}

export interface VerifySettings {
  disk: Disk;
  ledger: Ledger;
  git: string | null;
  /**
   * Called after each piece of work, so that other work can run.
   * @throws to end the check
   */
  turn(): Promise<void>;
}

export interface ComputedCommits {
  /** The commits by seq. After a fault, they come from git or from the ledger's record. */
  commits: CommitIds[];
  tags: Map<string, string>;
  /** The commits of notes, by seq. */
  notes: { seq: number; oid: string }[];
  /** The number of checked events. */
  events: number;
  /** False if events are missing, so that their tags are unknown. */
  gapless: boolean;
  /** False if too many faults ended the check. */
  complete: boolean;
  findings: LedgerFinding[];
}

/** The maximum number of findings about the ledger, and of findings about the copy on disk. */
export const findingsAtMost = 20;
const chunk = 200;
/** The widest gap between numbers of events. A wider gap comes from an altered number, and ends the check. */
const gapAtMost = 100_000;

interface CheckedEvent {
  made: ProjectedEvent | null;
  faults: string[];
}

export async function recomputeCommits(
  settings: VerifySettings,
  companyId: string,
  gitdir: string,
): Promise<ComputedCommits> {
  const { ledger } = settings;
  const computed: ComputedCommits = {
    commits: [],
    tags: new Map(),
    notes: [],
    events: 0,
    gapless: true,
    complete: true,
    findings: [],
  };
  const { commits, tags, findings } = computed;
  const held = createGitStateReader(settings, gitdir);
  const lookAt = createEventCheck(settings, companyId);
  const named = new Set<string>();
  // null: the state that the next event builds on is unknown
  let state: RepositoryState | null = emptyRepositoryState();
  const last = await ledger.lastSeq(companyId);
  for (let next = 0; next <= last;) {
    const events = await ledger.events(companyId, next, chunk);
    const reader = createContentsReader(ledger, companyId, events);
    for (const event of events) {
      const { seq } = event;
      if (seq > next) {
        const missing = seq === next + 1 ? `event ${next} is missing` : `events ${next} to ${seq - 1} are missing`;
        findings.push({ seq: next, where: "ledger", message: missing });
        computed.gapless = false;
        if (seq - next > gapAtMost) return { ...computed, complete: false };
        for (; next < seq; next += 1) commits[next] = { main: null, history: await held.history(next) };
        state = await held.stateAt(seq - 1);
        if (state !== null) commits[seq - 1] = branchCommitsOf(state);
      }
      const { made, faults }: CheckedEvent = await lookAt(state, event, reader);
      if (made !== null && faults.length === 0) commits[seq] = made.oids;
      else {
        state = await loadGitStateAfter(held, event, made);
        commits[seq] = state === null ? commitsRecordedInEvent(event) : branchCommitsOf(state);
      }
      const notes = faults.length === 0 ? made?.notes : null;
      if (notes) computed.notes.push({ seq, oid: notes });
      for (const { name, oid } of made?.tags ?? tagsOfEvent(event, commits[seq].main))
        if (!tags.has(name)) tags.set(name, oid);
      for (const fault of faults) {
        // the same version or asset can be missing in several events
        if (named.has(fault)) continue;
        named.add(fault);
        findings.push({ seq, where: "ledger", message: `event ${seq}${fault}` });
      }
      computed.events += 1;
      next = seq + 1;
      if (findings.length > findingsAtMost) {
        const message = `more than ${findingsAtMost} faults: the check of the ledger ended at event ${seq}`;
        findings.splice(findingsAtMost, Infinity, { seq, where: "ledger", message });
        return { ...computed, complete: false };
      }
    }
    if (events.length === 0) break;
  }
  return computed;
}

type EventCheck = (state: RepositoryState | null, event: RepoEvent, reader: ContentsReader) => Promise<CheckedEvent>;

/** Creates the check of an event. If the event has no faults, the state then includes the event. */
function createEventCheck({ ledger, turn }: VerifySettings, companyId: string): EventCheck {
  let ended: unknown = null;
  const waitForTurn = () =>
    turn().catch((error: unknown) => {
      ended = error;
      throw error;
    });
  const faultOf = (error: unknown, seq: number): string => {
    if (error === ended || error instanceof DatabaseUnavailableError || !(error instanceof Error)) throw error;
    if (error instanceof LedgerError) return error.message.slice(`event ${seq}`.length);
    return `: it can't be read: ${failureReason(error)}`;
  };
  const project = async (state: RepositoryState, event: RepoEvent, reader: ContentsReader): Promise<CheckedEvent> => {
    const contents = await reader.read(state, event, waitForTurn);
    const made = projectEvent(state, event, contents, sha1, () => undefined);
    const difference = storedDifference(event, made.oids);
    return { made, faults: difference === null ? [] : [difference] };
  };
  return async (state, event, reader) => {
    await waitForTurn();
    try {
      if (state !== null) return await project(state, event, reader);
    } catch (error) {
      if (error instanceof LedgerError) {
        const faults = await findContentFaults(ledger, companyId, state, event).catch(() => []);
        return { made: null, faults: faults.length > 0 ? faults : [faultOf(error, event.seq)] };
      }
      faultOf(error, event.seq);
    }
    // the state is unknown, or the commit can't be computed: find the faults in the contents of the event
    try {
      const faults = await findContentFaults(ledger, companyId, state, event);
      if (state === null || faults.length > 0) return { made: null, faults };
      return await project(state, event, createContentsReader(ledger, companyId, [event]));
    } catch (error) {
      return { made: null, faults: [faultOf(error, event.seq)] };
    }
  };
}

/** Returns the recorded commits of an event. A damaged event may lack them. */
function commitsRecordedInEvent({ oids }: Partial<Pick<RepoEvent, "oids">>): CommitIds {
  return { main: oids?.main ?? null, history: oids?.history ?? null };
}

function storedDifference(event: RepoEvent, made: CommitIds): string | null {
  if (event.state === "pending") return null;
  const branch = (["history", "main"] as const).find((name) => commitsRecordedInEvent(event)[name] !== made[name]);
  if (branch === undefined) return null;
  return ` makes ${made[branch]} on ${branch}, but ${commitsRecordedInEvent(event)[branch]} was committed`;
}

interface GitStateReader {
  /** Finds the commit of an event; null if there is none. */
  history(seq: number): Promise<string | null>;
  /** Loads the state of the repository after an event; null if there is none. */
  stateAt(seq: number): Promise<RepositoryState | null>;
}

/** Reads git's commits on disk. Used only after a fault. */
function createGitStateReader({ disk, git }: VerifySettings, gitdir: string): GitStateReader {
  let ancestry: Promise<string[]> | null = null;
  // A repository with stand-ins for unreadable text has other commits than the ledger says.
  let isReadable = !hasStandIns(gitdir);
  const readAncestry = async (): Promise<string[]> => {
    const head = await readRef(disk, gitdir, historyRef);
    return head === null ? [] : (await createReader(disk, gitdir, git).ancestry(head)).toReversed();
  };
  return {
    async history(seq) {
      if (!isReadable) return null;
      ancestry ??= readAncestry().catch(() => []);
      return (await ancestry)[seq] ?? null;
    },
    async stateAt(seq) {
      if (!isReadable) return null;
      try {
        const { state } = await loadRepository(disk, gitdir, git, seq + 1);
        return state.seq === seq ? state : null;
      } catch {
        // the check of the objects names the damaged object
        isReadable = false;
        return null;
      }
    },
  };
}

/**
 * Loads git's state after an event; null unless git's commit of the event agrees with the ledger's record or the
 * computed commit.
 */
async function loadGitStateAfter(
  held: GitStateReader,
  event: RepoEvent,
  made: ProjectedEvent | null,
): Promise<RepositoryState | null> {
  const history = await held.history(event.seq);
  if (history === null || (history !== commitsRecordedInEvent(event).history && history !== made?.oids.history))
    return null;
  return held.stateAt(event.seq);
}

function branchCommitsOf(state: RepositoryState): CommitIds {
  return { main: state.main.head, history: state.history.head };
}

/** Returns the tags of an event; none if the event can't be read. */
export function tagsOfEvent(event: RepoEvent, main: string | null): TagObject[] {
  try {
    return publicationTagsOf(event, main);
  } catch {
    return [];
  }
}
