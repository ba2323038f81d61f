/** Reads what events need from the ledger and checks it against the hashes that the ledger froze. */
import { setImmediate as breathe } from "node:timers/promises";
import type { RepoEvent } from "#core/repository/event.ts";
import { objectId } from "#core/repository/objects.ts";
import {
  LedgerError,
  neededAssets,
  neededFiles,
  type Contents,
  type RepositoryState,
} from "#core/repository/project.ts";
import { sha1, sha256 } from "./hashing.ts";
import type { Ledger, VersionKey } from "./ledger.ts";

/** Stores the blob of an asset. */
export type StoreAsset = (oid: string, content: Uint8Array) => Promise<void>;

export interface ContentsReader {
  /** What the event needs. Its new assets go to `store`, one at a time; only their ids stay in memory. */
  read(state: RepositoryState, event: RepoEvent, store: StoreAsset): Promise<Contents>;
}

/** One query reads the files of several events, up to this many. One event, an import, can need as many by itself. */
const filesAtOnce = 50;

/** Reads for these events, in their order. */
export function contentsReader(ledger: Ledger, companyId: string, events: readonly RepoEvent[]): ContentsReader {
  let files = new Map<string, Uint8Array | null>();
  let lastSeq = -1;

  const readFiles = async (from: RepoEvent): Promise<void> => {
    files = new Map();
    const wanted: VersionKey[] = [];
    for (const event of events) {
      if (event.seq < from.seq) continue;
      const needed = neededFiles(event);
      if (event !== from && wanted.length + needed.length > filesAtOnce) break;
      wanted.push(...needed);
      lastSeq = event.seq;
    }
    const found = wanted.length === 0 ? [] : await ledger.files(companyId, wanted);
    for (const [index, { sopId, version }] of wanted.entries()) files.set(`${sopId} ${version}`, found[index] ?? null);
  };

  const storeAsset = async (event: RepoEvent, hash: string, store: StoreAsset): Promise<string> => {
    const bytes = await ledger.asset(companyId, hash);
    if (bytes === null) throw new LedgerError(event.seq, `asset ${hash} is missing`);
    if (sha256(bytes) !== hash) throw new LedgerError(event.seq, `asset ${hash} is not what its hash says`);
    const oid = objectId("blob", bytes, sha1);
    await store(oid, bytes);
    return oid;
  };

  return {
    read: async (state, event, store) => {
      if (event.seq > lastSeq) await readFiles(event);
      const assets = new Map<string, string>();
      for (const hash of neededAssets(state, event)) {
        assets.set(hash, await storeAsset(event, hash, store));
        await breathe();
      }
      return {
        file: (sopId, version, contentHash) => {
          const bytes = files.get(`${sopId} ${version}`) ?? null;
          const name = `version ${version} of ${sopId}`;
          if (bytes === null) throw new LedgerError(event.seq, `${name} is missing`);
          if (contentHash !== null && sha256(bytes) !== contentHash) {
            throw new LedgerError(event.seq, `${name} is not the text whose hash the event holds`);
          }
          return bytes;
        },
        asset: (hash) => {
          const oid = assets.get(hash);
          if (oid === undefined) throw new LedgerError(event.seq, `asset ${hash} was not asked for`);
          return oid;
        },
      };
    },
  };
}
