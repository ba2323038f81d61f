/**
 * Re-encrypts values of older keys with the first one, after a rotation. An interrupted run continues where it stopped.
 */
import type { Clock } from "#core/clock.ts";
import { recordAudits } from "../audit/record.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { reportProgress } from "../jobs/overdue.ts";
import { placeOf } from "./stored-key.ts";
import { keyIdOf } from "./seal.ts";
import type { Keyring } from "./keyring.ts";

export interface Resealed {
  /** Re-encrypted by this run. */
  resealed: number;
  /** Sealed with the first key already. */
  current: number;
  /** Unreadable values. Their users get a message, and AI is off for them until they enter their key again. */
  unreadable: { userId: string; kid: string | null }[];
}

const pageSize = 200;

/** Beside running servers: a value that changes in between is left as it then is. */
export async function resealAll(db: Database<Collections>, keys: Keyring, clock: Clock): Promise<Resealed> {
  const sum: Resealed = { resealed: 0, current: 0, unreadable: [] };
  for await (const page of sealedPages(db)) {
    const first = keys.firstId();
    const old = page.filter((user) => keyIdOf(user.sealed) !== first);
    sum.current += page.length - old.length;
    const replaced = old.flatMap((user) => {
      const opened = keys.open(user.sealed, placeOf(user._id));
      if (opened.ok) return [{ ...user, fresh: keys.seal(opened.text, placeOf(user._id)) }];
      sum.unreadable.push({ userId: user._id, kid: opened.kid });
      return [];
    });
    sum.resealed += replaced.length === 0 ? 0 : await store(db, replaced, first, clock.now());
    reportProgress();
  }
  return sum;
}

/** How many values an older key sealed. */
export async function countOlder(db: Pick<Database<Collections>, "collection">, firstId: string): Promise<number> {
  let older = 0;
  for await (const page of sealedPages(db)) older += page.filter((user) => keyIdOf(user.sealed) !== firstId).length;
  return older;
}

interface Sealed extends Pick<UserDocument, "_id" | "companyId"> {
  sealed: string;
}

async function* sealedPages(db: Pick<Database<Collections>, "collection">): AsyncGenerator<Sealed[]> {
  for (let last = ""; ;) {
    const users = await db
      .collection("users")
      .find({ _id: { $gt: last }, openaiApiKey: { $gt: "" } }, { sort: { _id: 1 }, limit: pageSize });
    if (users.length > 0) {
      yield users.map(({ _id, companyId, openaiApiKey }) => ({ _id, companyId, sealed: openaiApiKey ?? "" }));
    }
    if (users.length < pageSize) return;
    last = users.at(-1)?._id ?? "";
  }
}

function store(
  db: Database<Collections>,
  replaced: readonly (Sealed & { fresh: string })[],
  kid: string,
  at: string,
): Promise<number> {
  return db.transaction(async (tx) => {
    const written: Sealed[] = [];
    for (const { _id, companyId, sealed, fresh } of replaced) {
      const users = tx.forCompany(companyId).collection("users");
      const { matchedCount } = await users.updateOne({ _id, openaiApiKey: sealed }, { $set: { openaiApiKey: fresh } });
      if (matchedCount === 1) written.push({ _id, companyId, sealed });
    }
    await recordAudits(
      tx,
      written.map(({ _id, companyId, sealed }) => ({
        companyId,
        userId: null,
        userName: null,
        action: "settings.reseal",
        entityType: "user",
        entityId: _id,
        changes: { key: { from: keyIdOf(sealed), to: kid } },
        at,
        origin: null,
      })),
    );
    return written.length;
  });
}
