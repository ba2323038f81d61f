/**
 * Stores copies of repositories and search indexes beside the images and PDFs. A server on MongoDB starts with a copy
 * instead of building its own. If the copy is missing or damaged, it builds its own.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Logger } from "pino";
import { systemClock, type Clock } from "#core/clock.ts";
import { newId } from "#core/ids.ts";
import { readBlob, type Blobs, type BlobKey } from "../blobs/port.ts";
import type { Collections, SnapshotDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { reportProgress } from "../jobs/overdue.ts";
import { sha256 } from "../hashing.ts";

/** The company, kind and format of a copy. A server uses only copies in a format that it can read. */
export type SnapshotKey = Pick<SnapshotDocument, "companyId" | "kind" | "format">;

export interface Snapshots {
  /**
   * Writes the newest copy to `file`, which no other work uses.
   * @param accepts says whether a copy that ends with this event is useful
   * @returns false if there is no usable copy
   */
  take(of: SnapshotKey, file: string, accepts?: (seq: number) => boolean): Promise<boolean>;
  /**
   * Says whether a new copy is needed: the newest copy is this many events behind, or there is none. A deleted company
   * needs no copy.
   */
  wants(of: SnapshotKey & { seq: number }, behind: number): Promise<boolean>;
  /** Stores a file as the newest copy and removes the earlier copies. */
  put(of: SnapshotKey & { seq: number }, file: string): Promise<void>;
  /** Removes copies of deleted companies, and the parts that stopped uploads left. */
  tidy(): Promise<void>;
}

/** The size of a part. A part is a document, and MongoDB allows 16 MiB. */
const partBytes = 4 * 1024 * 1024;
/** The age at which an incomplete copy counts as left behind, because no upload takes so long. */
const uploadMs = 3_600_000;

export function createSnapshots(options: {
  db: Database<Collections>;
  blobs: Blobs;
  log: Pick<Logger, "warn" | "info">;
  clock?: Clock;
}): Snapshots {
  const { db, blobs, log, clock = systemClock } = options;
  const inDatabase = blobs.kind === "database";
  const snapshotsOf = (companyId: string) => db.forCompany(companyId).collection("snapshots");
  const partsOf = (companyId: string) => db.forCompany(companyId).collection("snapshot_parts");
  const keyOf = ({ _id, companyId }: SnapshotDocument, part: number): BlobKey => ({ _id: `${_id}.${part}`, companyId });

  async function findNewestSnapshot({ companyId, kind, format }: SnapshotKey): Promise<SnapshotDocument | null> {
    const newestFirst = { sort: { seq: -1 }, limit: 1 } as const;
    const [found] = await snapshotsOf(companyId).find({ kind, format, isComplete: true }, newestFirst);
    if (!found) return null;
    // the ledger of a restored backup can have another event with the same number
    const event = await db.forCompany(companyId).collection("repo_events").findOne({ seq: found.seq });
    return event?._id === found.eventId ? found : null;
  }

  async function* bytesOf(snapshot: SnapshotDocument): AsyncGenerator<Uint8Array> {
    for (const [at, hash] of snapshot.parts.entries()) {
      const key = keyOf(snapshot, at);
      const bytes = inDatabase ? await storedPart(key) : await readBlob(blobs, key);
      if (!bytes || sha256(bytes) !== hash) throw new Error(`part ${at} of ${snapshot._id} is missing or damaged`);
      yield bytes;
    }
  }

  async function storedPart({ _id, companyId }: BlobKey): Promise<Uint8Array | undefined> {
    return (await partsOf(companyId).findOne({ _id }, { projection: { bytes: 1 } }))?.bytes;
  }

  async function putPart(key: BlobKey, bytes: Uint8Array): Promise<void> {
    const fields = await blobs.put(key, bytes);
    if (inDatabase) await partsOf(key.companyId).insertOne({ ...key, ...fields });
  }

  async function removeSnapshot(snapshot: SnapshotDocument): Promise<void> {
    for (const at of snapshot.parts.keys()) {
      const key = keyOf(snapshot, at);
      await (inDatabase ? partsOf(key.companyId).deleteOne({ _id: key._id }) : blobs.remove(key));
    }
    await snapshotsOf(snapshot.companyId).deleteOne({ _id: snapshot._id });
  }

  const isLeftBehind = ({ isComplete, at }: Pick<SnapshotDocument, "isComplete" | "at">) =>
    !isComplete && clock.millis() - Date.parse(at) > uploadMs;

  return {
    async take(of, file, accepts = () => true) {
      const found = await findNewestSnapshot(of);
      if (!found || !accepts(found.seq)) return false;
      try {
        await pipeline(Readable.from(bytesOf(found)), createGunzip(), createWriteStream(file));
        log.info({ companyId: of.companyId, kind: of.kind, seq: found.seq }, "began with a copy of another server");
        return true;
      } catch (error) {
        log.warn({ companyId: of.companyId, err: error }, `a copy can't be used: ${of.kind} is made again`);
        await rm(file, { force: true });
        return false;
      }
    },
    async wants({ seq, ...of }, behind) {
      const company = await db.collection("companies").findOne({ _id: of.companyId }, { projection: { status: 1 } });
      if (!company || company.status === "deleted") return false;
      return seq - ((await findNewestSnapshot(of))?.seq ?? -1) >= behind;
    },
    async put({ companyId, kind, format, seq }, file) {
      const event = await db.forCompany(companyId).collection("repo_events").findOne({ seq });
      if (!event) return;
      const own: SnapshotDocument = {
        _id: newId(),
        companyId,
        kind,
        format,
        seq,
        eventId: event._id,
        parts: [],
        isComplete: false,
        at: clock.now(),
      };
      const snapshots = snapshotsOf(companyId);
      const before = await snapshots.find({ kind });
      await snapshots.insertOne(own);
      await pipeline(createReadStream(file), createGzip({ level: 1 }), splitIntoParts, async (pieces) => {
        for await (const bytes of pieces) {
          own.parts.push(sha256(bytes));
          // the part's hash is stored before the part, so that a stopped upload can be removed
          await snapshots.updateOne({ _id: own._id }, { $set: { parts: own.parts } });
          await putPart(keyOf(own, own.parts.length - 1), bytes);
          reportProgress();
        }
      });
      await snapshots.updateOne({ _id: own._id }, { $set: { isComplete: true } });
      for (const one of before) if (one.isComplete) await removeSnapshot(one);
    },
    async tidy() {
      const all = await db.collection("snapshots").find({}, { projection: { companyId: 1, isComplete: 1, at: 1 } });
      const ids = [...new Set(all.map(({ companyId }) => companyId))];
      const companies = await db.collection("companies").find({ _id: { $in: ids } }, { projection: { status: 1 } });
      const alive = new Set(companies.filter(({ status }) => status !== "deleted").map(({ _id }) => _id));
      for (const { _id } of all.filter((one) => !alive.has(one.companyId) || isLeftBehind(one))) {
        const found = await db.collection("snapshots").findOne({ _id });
        if (found) await removeSnapshot(found);
      }
    },
  };
}

async function* splitIntoParts(source: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let [held, size]: [Buffer[], number] = [[], 0];
  for await (const chunk of source) {
    held.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    yield Buffer.concat(held);
    [held, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(held);
}
