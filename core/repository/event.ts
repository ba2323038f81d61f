/**
 * The events of the ledger: snapshots that never change, so that a later rename of a user or category never changes an
 * old commit.
 */
import { newId } from "#core/ids.ts";

export type Branch = "main" | "history";

/** The version of the renderer for new events. */
export const formatVersion = 2;

/**
 * The kind of an event. `found` is the first event of a company (seq 0). `unreadable` replaces an event whose facts are
 * lost, and is never stored. The others are actions of users.
 */
export type Verb =
  | "found"
  | "create"
  | "save"
  | "publish"
  | "unpublish"
  | "archive"
  | "unarchive"
  | "delete"
  | "undelete"
  | "move"
  | "restore"
  | "import"
  | "category"
  | "unreadable";

/** The file of one SOP on each branch. A null path means that there is no file. */
export interface SopFilePlace {
  /** The path on `history`. */
  path: string | null;
  version: number;
  /** The path on `main`. */
  mainPath: string | null;
  mainVersion: number | null;
}

export interface RepoEventItem {
  sopId: string;
  /** The version that was saved, published, moved and so on. */
  version: number;
  /** The SOP's position in the order of creation. */
  number: number;
  /** The number that people see, if it isn't `numberLabel(number)`. */
  label?: string;
  title: string;
  /** The SHA-256 (hexadecimal) of the version's file, exactly as git stores it. */
  contentHash: string;
  /**
   * Files (`<sha256>.<ext>`) of the stored assets that this version links. Every event that puts the version on a
   * branch has them, even a publication. Links to missing assets are left out, because the committer stops at an asset
   * that it can't read.
   */
  assets?: string[];
  /** The version on `main`, if it isn't `version`. Without it, the commit on `main` only names the number. */
  inForce?: { title: string; contentHash: string };
  /** The place of the SOP's file before the event; null: the SOP did not exist. */
  before: SopFilePlace | null;
  after: SopFilePlace | null;
}

export interface CategoryEntry {
  slug: string;
  name: string;
  color: string;
  order: number;
  /** The slug of the category around this one; absent for a category of the highest level. */
  parent?: string;
}

export interface EventApproval {
  userId: string;
  name: string;
  /** Absent in old events. */
  username?: string;
  /** The time of the approval, ISO 8601. */
  at: string;
}

export interface CommitIds {
  main: string | null;
  history: string | null;
}

export interface RepoEvent {
  _id: string;
  companyId: string;
  /** The number of the event: from 0 without gaps, for each company. */
  seq: number;
  /** The version of the renderer for this event. It never changes. */
  formatVersion: typeof formatVersion;
  type: Verb;
  /** ISO 8601 UTC. Commits have whole seconds. */
  at: string;
  authorId: string;
  authorName: string;
  requestId?: string;
  importId?: string;
  note?: string;
  /** The AI models that wrote a part of the text, separated by commas; absent for none. */
  aiModel?: string;
  /** The number of the version that a `restore` restored; absent for other events. */
  restores?: number;
  /**
   * Other people whose words the stored texts contain, such as a proposal's author. `stated`: only pushed commits name
   * the person.
   */
  coAuthors?: { userId: string; name: string; stated?: true }[];
  approvals?: EventApproval[];
  items: RepoEventItem[];
  /** The whole list of categories after the event, on `found` and `category` events. */
  categories?: CategoryEntry[];
  /** The company, on `found` events. The epoch grows by one with each legal purge. */
  company?: { name: string; epoch: number };
  state: "pending" | "committed";
  /** The commits; null until the event is committed. `main` stays null if the event changes nothing there. */
  oids: CommitIds;
  /**
   * True after unreadable events; never stored. A file that those events added can be missing or too old, and one that
   * they removed can still exist.
   */
  isAfterUnreadable?: true;
}

export type NewRepoEvent = Omit<RepoEvent, "_id" | "formatVersion" | "state" | "oids">;

/** Completes an event for the ledger: newest format, pending, without commits. */
export function createRepoEvent(event: NewRepoEvent): RepoEvent {
  return { _id: newId(), formatVersion, ...event, state: "pending", oids: { main: null, history: null } };
}

/** Event 0 of a company: the root commit with `.sop/*`, the same on both branches. The next event is seq 1. */
export function createFoundingEvent(
  company: { id: string; name: string; epoch?: number },
  categories: readonly CategoryEntry[],
  at: string,
): RepoEvent {
  return createRepoEvent({
    companyId: company.id,
    seq: 0,
    type: "found",
    at,
    authorId: "server",
    authorName: "SOP Server",
    items: [],
    categories: [...categories],
    company: { name: company.name, epoch: company.epoch ?? 1 },
  });
}

/** Replaces an event that can't be read. It changes no file. */
export function createUnreadableEvent(companyId: string, seq: number): RepoEvent {
  return createRepoEvent({
    companyId,
    seq,
    type: "unreadable",
    // commit dates never go back, so the commit of this event gets the date of the commit before
    at: new Date(0).toISOString(),
    authorId: "server",
    authorName: "SOP Server",
    note: "The record of this change can't be read on the server. Ask an administrator to restore it. Until then, files of this repository can be missing or too old.",
    items: [],
  });
}
