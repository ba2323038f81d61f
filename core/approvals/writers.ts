/**
 * The people who wrote words of a version. They can't decide about the version while the company forbids self-approval.
 */

/**
 * Another person whose words are in a version, such as the author of a proposed change or the writer of a copied draft,
 * with the name at that time.
 */
export interface VersionWriter {
  id: string;
  name: string;
  /**
   * True for writers that only pushed commits name. A commit can name anyone, so the name doesn't prevent a decision.
   */
  stated?: true;
}

/** Lists each writer once. A writer that the server knows replaces one that only commits name. */
export function distinctWriters(writers: readonly VersionWriter[]): VersionWriter[] {
  const known = new Map<string, VersionWriter>();
  for (const one of writers) {
    const before = known.get(one.id);
    if (before === undefined || before.stated) known.set(one.id, one);
  }
  return [...known.values()];
}

/** The fields of a version that tell who wrote its words. */
export interface VersionWriters {
  version: number;
  changedBy: string;
  writers?: readonly VersionWriter[];
  /** The version that it restores. */
  restores: number | null;
  /** The version that the text was edited from, if it was not the latest one. */
  madeFrom?: number;
}

/**
 * The versions before the published one that these versions restore or were edited from, so that their words return.
 * The newest comes first.
 * @param published the last published version before these versions
 */
export function restoredVersions(versions: readonly VersionWriters[], published: number): number[] {
  const older = versions.flatMap(({ restores, madeFrom }) => [restores ?? 0, madeFrom ?? 0]);
  const restored = older.filter((version) => version > 0 && version < published);
  return [...new Set(restored)].sort((one, other) => other - one);
}

/** The ids of all users who wrote words of these versions, as far as the server knows. */
export function writerIdsOf(versions: readonly VersionWriters[]): Set<string> {
  return new Set(
    versions.flatMap(({ changedBy, writers = [] }) => [
      changedBy,
      ...writers.flatMap(({ id, stated }) => (stated ? [] : [id])),
    ]),
  );
}
