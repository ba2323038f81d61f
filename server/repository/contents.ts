/** Reads the contents of events from the ledger and checks them against the hashes that the ledger stored. */
import { setImmediate } from "node:timers/promises";
import type { RepoEvent } from "#core/repository/event.ts";
import { objectId } from "#core/repository/objects.ts";
import { treeChangesOf } from "#core/repository/changes.ts";
import {
  emptyRepositoryState,
  LedgerError,
  missingAssetsOf,
  versionsFromLedger,
  type Contents,
  type RepositoryState,
} from "#core/repository/project.ts";
import { DatabaseUnavailableError } from "../database/port.ts";
import { sha256 } from "../hashing.ts";
import { sha1 } from "./sha1.ts";
import type { Ledger, VersionKey } from "./ledger.ts";
import { standInName, standInNote, readUndamagedPart, type FileStandIn } from "./stand-ins.ts";

export type StoreAsset = (oid: string, content: Uint8Array) => Promise<void>;

export interface ContentsReader {
  /** Reads the contents of an event. New assets go to `store`, one at a time; only their ids stay in memory. */
  read(state: RepositoryState, event: RepoEvent, store: StoreAsset): Promise<Contents>;
}

/** The maximum number of files in a query for several events. A single event, an import, can need as many by itself. */
const filesAtOnce = 50;

const versionName = (sopId: string, version: number) =>
  standInName({ kind: "version", sopId, version, contentHash: null });
const assetContentName = (hash: string) => standInName({ kind: "asset", sha256: hash });
const wrongFileText = (name: string) => `${name} is not the text whose hash the event holds`;
const wrongAssetText = (hash: string) => `${assetContentName(hash)} is not what its hash says`;

/**
 * Finds all faults in the contents of an event. Reads each file and asset separately.
 * @param state the state before the event; null if unknown, so that all assets are read
 * @returns texts to follow "event <seq>"
 */
export async function findContentFaults(
  ledger: Ledger,
  companyId: string,
  state: RepositoryState | null,
  event: RepoEvent,
): Promise<string[]> {
  const faults: string[] = [];
  for (const hash of missingAssetsOf(state ?? emptyRepositoryState(), event)) {
    const bytes = await ledger.asset(companyId, hash).catch(undefinedIfUnreadable);
    if (bytes === null) faults.push(`: ${assetContentName(hash)} is missing`);
    else if (bytes === undefined) faults.push(`: ${assetContentName(hash)} can't be read`);
    else if (sha256(bytes) !== hash) faults.push(`: ${wrongAssetText(hash)}`);
  }
  const { history, main } = treeChangesOf(event);
  const read = new Set<string>();
  for (const change of [...history, ...main]) {
    if (change.kind !== "file" || change.from !== null) continue;
    const name = versionName(change.sopId, change.version);
    if (read.has(name)) continue;
    read.add(name);
    const found = await ledger.files(companyId, [change]).catch(undefinedIfUnreadable);
    const bytes = found?.[0] ?? null;
    if (found === undefined) faults.push(`: ${name} can't be read`);
    else if (bytes === null) faults.push(`: ${name} is missing`);
    else if (change.contentHash !== null && sha256(bytes) !== change.contentHash)
      faults.push(`: ${wrongFileText(name)}`);
    await setImmediate();
  }
  return faults;
}

function undefinedIfUnreadable(error: unknown): undefined {
  if (error instanceof DatabaseUnavailableError) throw error;
  return undefined;
}

/**
 * Creates a reader for the contents of these events, in their order.
 * @param onStandIn if given, a note replaces missing or damaged contents; otherwise they cause a LedgerError
 */
export function createContentsReader(
  ledger: Ledger,
  companyId: string,
  events: readonly RepoEvent[],
  onStandIn?: (one: FileStandIn) => void,
): ContentsReader {
  let files = new Map<string, Uint8Array | null>();
  let lastSeq = -1;

  const readFiles = async (from: RepoEvent): Promise<void> => {
    files = new Map();
    const wanted: VersionKey[] = [];
    let upTo = from.seq;
    for (const event of events) {
      if (event.seq < from.seq) continue;
      const needed = versionsFromLedger(event);
      if (event !== from && wanted.length + needed.length > filesAtOnce) break;
      wanted.push(...needed);
      upTo = event.seq;
    }
    const found = wanted.length === 0 ? [] : await ledger.files(companyId, wanted);
    for (const [index, { sopId, version }] of wanted.entries()) files.set(`${sopId} ${version}`, found[index] ?? null);
    lastSeq = upTo;
  };

  const standIn = (one: FileStandIn): Uint8Array => {
    onStandIn?.(one);
    return standInNote(one);
  };

  const assetOf = async (event: RepoEvent, hash: string): Promise<Uint8Array> => {
    const one = { kind: "asset", sha256: hash } as const;
    if (onStandIn !== undefined) return (await readUndamagedPart(ledger, companyId, one)) ?? standIn(one);
    const bytes = await ledger.asset(companyId, hash);
    if (bytes === null) throw new LedgerError(event.seq, `${assetContentName(hash)} is missing`);
    if (sha256(bytes) !== hash) throw new LedgerError(event.seq, wrongAssetText(hash));
    return bytes;
  };

  const storeAsset = async (event: RepoEvent, hash: string, store: StoreAsset): Promise<string> => {
    const bytes = await assetOf(event, hash);
    const oid = objectId("blob", bytes, sha1);
    await store(oid, bytes);
    return oid;
  };

  return {
    read: async (state, event, store) => {
      if (event.seq > lastSeq) await readFiles(event);
      const assets = new Map<string, string>();
      for (const hash of missingAssetsOf(state, event)) {
        assets.set(hash, await storeAsset(event, hash, store));
        await setImmediate();
      }
      return {
        file: (sopId, version, contentHash) => {
          const bytes = files.get(`${sopId} ${version}`) ?? null;
          const name = versionName(sopId, version);
          const isWhole = bytes !== null && (contentHash === null || sha256(bytes) === contentHash);
          if (!isWhole && onStandIn) return standIn({ kind: "version", sopId, version, contentHash });
          if (bytes === null) throw new LedgerError(event.seq, `${name} is missing`);
          if (!isWhole) throw new LedgerError(event.seq, wrongFileText(name));
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
