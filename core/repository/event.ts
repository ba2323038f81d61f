/** The ledger's entries: frozen snapshots, so that a later rename of a user or category never changes an old commit. */
import { newId } from "#core/ids.ts";

export type Branch = "main" | "history";

/** The version of the renderer for new events. */
export const formatVersion = 2;

/**
 * The kind of an event. `found` is the first event of a company (seq 0), `unreadable` one whose facts are lost: it is
 * never stored. The others are actions of users.
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
export interface Place {
  /** On `history`. */
  path: string | null;
  version: number;
  /** On `main`. */
  mainPath: string | null;
  mainVersion: number | null;
}

export interface RepoEventItem {
  sopId: string;
  /** The version the event is about: the one saved, published, moved … */
  version: number;
  /** Its place in the order of creation. */
  number: number;
  /** The number that people see, if it isn't `numberLabel(number)`. */
  label?: string;
  title: string;
  /** SHA-256 (hex) of that version's file, exactly as git holds it. */
  contentHash: string;
  /**
   * `<sha256>.<ext>` of the stored assets that this version links. On every event that puts the version on a branch,
   * even on a publication. Never lists links to missing assets, because the committer stops at an asset that it can't
   * read.
   */
  assets?: string[];
  /** The version on `main`, if it isn't `version`. Without it, `main`'s commit names only the number. */
  inForce?: { title: string; contentHash: string };
  /** null: the SOP did not exist. */
  before: Place | null;
  after: Place | null;
}

export interface CategoryEntry {
  slug: string;
  name: string;
  color: string;
  order: number;
  /** The slug of the category around it. */
  parent?: string;
}

export interface Approval {
  userId: string;
  name: string;
  /** Absent in old events. */
  username?: string;
  /** ISO 8601 */
  at: string;
}

export interface CommitIds {
  main: string | null;
  history: string | null;
}

export interface RepoEvent {
  _id: string;
  companyId: string;
  /** Without gaps from 0, per company. */
  seq: number;
  /** The version of the renderer for this event; it never changes. */
  formatVersion: typeof formatVersion;
  type: Verb;
  /** ISO 8601 UTC; commits hold whole seconds. */
  at: string;
  authorId: string;
  authorName: string;
  requestId?: string;
  importId?: string;
  note?: string;
  aiModel?: string;
  /** The version whose content a `restore` brought back. */
  restores?: number;
  /** Others whose words the stored texts have: a proposal's author. `stated`: only pushed commits say so. */
  coAuthors?: { userId: string; name: string; stated?: true }[];
  approvals?: Approval[];
  items: RepoEventItem[];
  /** The whole list after the event; on `found` and `category` events. */
  categories?: CategoryEntry[];
  /** On `found` events. The epoch grows by one with each legal purge. */
  company?: { name: string; epoch: number };
  state: "pending" | "committed";
  /** null until committed; `main` stays null where the event changes nothing there. */
  oids: CommitIds;
  /**
   * Never stored. Events before it are unreadable: a file that they brought can be missing or too old, and one that they
   * took away still there.
   */
  isAfterUnreadable?: true;
}

export type NewRepoEvent = Omit<RepoEvent, "_id" | "formatVersion" | "state" | "oids">;

/** Completes an event for the ledger: newest format, pending, no commits yet. */
export function repositoryEvent(event: NewRepoEvent): RepoEvent {
  return { _id: newId(), formatVersion, ...event, state: "pending", oids: { main: null, history: null } };
}

/** Event 0 of a company: the root commit with `.sop/*`, the same on both branches. The next event is seq 1. */
export function foundingEvent(
  company: { id: string; name: string; epoch?: number },
  categories: readonly CategoryEntry[],
  at: string,
): RepoEvent {
  return repositoryEvent({
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

/** In place of an event that can't be read. It changes no file. */
export function unreadableEvent(companyId: string, seq: number): RepoEvent {
  return repositoryEvent({
    companyId,
    seq,
    type: "unreadable",
    // commits never go back in time: it gets the second of the one before
    at: new Date(0).toISOString(),
    authorId: "server",
    authorName: "SOP Server",
    note: "The record of this change can't be read on the server. Ask an administrator to restore it. Until then, files of this repository can be missing or too old.",
    items: [],
  });
}
