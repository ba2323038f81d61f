/** Finds which sessions and tokens of open event streams are still valid. A stream ends with its session or token. */
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";

export interface StreamCredential {
  kind: "sessions" | "tokens";
  id: string;
}

/** Finds the ids of those credentials that are neither revoked nor expired. */
export async function findValidCredentials(
  db: Database<Collections>,
  credentials: readonly StreamCredential[],
  now: string,
): Promise<Set<string>> {
  const only = { projection: { _id: 1 } } as const;
  const idsOf = (wanted: StreamCredential["kind"]) =>
    credentials.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const [sessions, tokens] = [idsOf("sessions"), idsOf("tokens")];
  const found = await Promise.all([
    sessions.length > 0
      ? db.collection("sessions").find({ _id: { $in: sessions }, expiresAt: { $gt: now } }, only)
      : [],
    tokens.length > 0 ? db.collection("tokens").find({ _id: { $in: tokens }, expiresAt: { $gt: now } }, only) : [],
  ]);
  return new Set(found.flat().map(({ _id }) => _id));
}
