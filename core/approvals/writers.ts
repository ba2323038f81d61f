/** The people whose words a version has. They can't decide about it while the company forbids self-approval. */

/** Someone else whose words came in with a version: a proposal's author, a writer of a copied draft, with the name of then. */
export interface Writer {
  id: string;
  name: string;
  /** Pushed commits name them. A commit can name anyone, so this bars no one from deciding. */
  stated?: true;
}

/** Each once. What the server knows comes before what commits state. */
export function eachWriterOnce(writers: readonly Writer[]): Writer[] {
  const known = new Map<string, Writer>();
  for (const one of writers) {
    const before = known.get(one.id);
    if (before === undefined || before.stated) known.set(one.id, one);
  }
  return [...known.values()];
}

/** The fields of a version that tell whose words it has. */
export interface Written {
  version: number;
  changedBy: string;
  writers?: readonly Writer[];
  /** The version that it restores. */
  restores: number | null;
  /** The version that its text was made from, if that was not the latest one. */
  madeFrom?: number;
}

/**
 * The oldest version whose words can come back by one of these: an older text is used again. @returns 0 for none
 * @param published the last published version before them
 */
export function broughtBack(versions: readonly Written[], published: number): number {
  const older = versions.flatMap(({ restores, madeFrom }) => [restores ?? 0, madeFrom ?? 0]);
  // the published text itself has no words that weren't decided about
  return Math.max(0, ...older.filter((version) => version < published));
}

/** All who wrote words of these versions, as the server knows, each once. */
export function writersIn(versions: readonly Written[]): Set<string> {
  return new Set(
    versions.flatMap(({ changedBy, writers = [] }) => [
      changedBy,
      ...writers.flatMap(({ id, stated }) => (stated ? [] : [id])),
    ]),
  );
}
