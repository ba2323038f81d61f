/**
 * The people who wrote words of a version. They can't decide about the version while the company forbids self-approval.
 */

/**
 * A person other than the author whose words are in a version, with the name at that time: the author of a proposed
 * change, or the writer of a copied draft.
 */
export interface VersionWriter {
  id: string;
  name: string;
  /**
   * True for a writer who is only named in a pushed commit. A commit can name anyone, so this name doesn't exclude an
   * approver.
   */
  stated?: true;
}

/** Lists each writer once. An entry by the server replaces one from a commit. */
export function distinctWriters(writers: readonly VersionWriter[]): VersionWriter[] {
  const known = new Map<string, VersionWriter>();
  for (const one of writers) {
    const before = known.get(one.id);
    if (before === undefined || before.stated) known.set(one.id, one);
  }
  return [...known.values()];
}

/** The fields of a version that tell who wrote its words. */
export interface AuthorFields {
  version: number;
  changedBy: string;
  writers?: readonly VersionWriter[];
  /** The number of an older version that this version restores. */
  restores: number | null;
  /** The version that the text was edited from, if it was not the latest one. */
  madeFrom?: number;
}

/**
 * Returns the numbers of versions before the published one that these versions restore or were edited from, the newest
 * first. Words of those older versions return with them.
 * @param published the last published version before these versions
 */
export function restoredVersionNumbers(versions: readonly AuthorFields[], published: number): number[] {
  const older = versions.flatMap(({ restores, madeFrom }) => [restores ?? 0, madeFrom ?? 0]);
  const restored = older.filter((version) => version > 0 && version < published);
  return [...new Set(restored)].sort((one, other) => other - one);
}

/** Returns the ids of all users who are known to have written words of these versions. */
export function writerIdsOf(versions: readonly AuthorFields[]): Set<string> {
  return new Set(
    versions.flatMap(({ changedBy, writers = [] }) => [
      changedBy,
      ...writers.flatMap(({ id, stated }) => (stated ? [] : [id])),
    ]),
  );
}
