/**
 * The repository's access to the database. The ledger is append-only, and each event has a snapshot that never changes.
 */
import type { CommitIds, RepoEvent } from "#core/repository/event.ts";

export interface VersionKey {
  sopId: string;
  version: number;
}

export interface Ledger {
  /** Reads events with `seq` ≥ `from`, ascending and without gaps, at most `limit`. */
  events(companyId: string, from: number, limit: number): Promise<RepoEvent[]>;
  /** Reads the greatest `seq`; -1 if the company has no event. */
  lastSeq(companyId: string): Promise<number>;
  /** Reads the smallest `seq` of a pending event; null if there is none. */
  firstPending(companyId: string): Promise<number | null>;
  /** Reads the exact bytes of each version's file, in the order of `versions`; null for a missing version. */
  files(companyId: string, versions: readonly VersionKey[]): Promise<(Uint8Array | null)[]>;
  /** Reads the bytes of an asset; null if they are missing. */
  asset(companyId: string, sha256: string): Promise<Uint8Array | null>;
  /**
   * Stores the commits of pending events and marks the events as committed. Leaves out events that other servers
   * committed. Events that a restore made pending get their new commits.
   */
  acknowledge(companyId: string, commits: readonly Acknowledgement[]): Promise<void>;
}

export interface Acknowledgement {
  seq: number;
  oids: CommitIds;
}

/** A logger with pino's methods. */
export interface RepositoryLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
