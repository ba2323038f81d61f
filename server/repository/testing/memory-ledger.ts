/** A ledger in memory, for tests and the bench. It returns copies of events, like a database. */
import type { RepoEvent } from "#core/repository/event.ts";
import { sha256 } from "../../hashing.ts";
import type { Ledger, RepositoryLog } from "../ledger.ts";

export interface MemoryLedger extends Ledger {
  readonly stored: RepoEvent[];
  readonly fileBytes: Map<string, Uint8Array>;
  readonly assetBytes: Map<string, Uint8Array>;
  append(event: RepoEvent): void;
  /** @returns the content hash */
  putFile(sopId: string, version: number, bytes: Uint8Array): string;
  /** @returns the hash */
  putAsset(bytes: Uint8Array): string;
}

export function createMemoryLedger(): MemoryLedger {
  const stored: RepoEvent[] = [];
  const fileBytes = new Map<string, Uint8Array>();
  const assetBytes = new Map<string, Uint8Array>();
  return {
    stored,
    fileBytes,
    assetBytes,
    append: (event) => stored.push(event),
    putFile: (sopId, version, bytes) => {
      fileBytes.set(`${sopId} ${version}`, bytes);
      return sha256(bytes);
    },
    putAsset: (bytes) => {
      assetBytes.set(sha256(bytes), bytes);
      return sha256(bytes);
    },
    events: async (_companyId, from, limit) => {
      const at = stored.findIndex(({ seq }) => seq >= from);
      return at < 0 ? [] : structuredClone(stored.slice(at, at + limit));
    },
    lastSeq: async () => stored.at(-1)?.seq ?? -1,
    firstPending: async () => stored.find((event) => event.state === "pending")?.seq ?? null,
    files: async (_companyId, versions) =>
      versions.map(({ sopId, version }) => fileBytes.get(`${sopId} ${version}`) ?? null),
    asset: async (_companyId, hash) => assetBytes.get(hash) ?? null,
    acknowledge: async (_companyId, commits) => {
      for (const { seq, oids } of commits) {
        const event = stored[seq];
        if (event?.state !== "pending") continue;
        event.oids = { ...oids };
        event.state = "committed";
      }
    },
  };
}

export const silentLog: RepositoryLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function withoutEvent(ledger: MemoryLedger, lost: number): MemoryLedger["events"] {
  const { events } = ledger;
  return async (companyId, from, limit) =>
    (await events(companyId, from, limit + 1)).filter(({ seq }) => seq !== lost).slice(0, limit);
}
