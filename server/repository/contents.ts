/** Brings in the bytes events need, and holds them against the hashes the ledger froze. */
import type { RepoEvent } from "#core/repository/event.ts";
import {
  LedgerError,
  neededAssets,
  neededFiles,
  type Contents,
  type RepositoryState,
} from "#core/repository/project.ts";
import { sha256 } from "./hashing.ts";
import type { Ledger } from "./ledger.ts";

export interface LoadedFiles {
  /** What one of the events needs, its new assets included. */
  of(state: RepositoryState, event: RepoEvent): Promise<Contents>;
}

/** Loads the files of these events in one go; assets may be large and come one event at a time. */
export async function loadFiles(ledger: Ledger, companyId: string, events: readonly RepoEvent[]): Promise<LoadedFiles> {
  const wanted = events.flatMap(neededFiles);
  const loaded = wanted.length === 0 ? [] : await ledger.files(companyId, wanted);
  const files = new Map(wanted.map((key, index) => [`${key.sopId} ${key.version}`, loaded[index] ?? null]));
  return {
    of: async (state, event) => {
      const assets = new Map<string, Uint8Array>();
      for (const hash of neededAssets(state, event)) {
        const bytes = await ledger.asset(companyId, hash);
        if (bytes === null) throw new LedgerError(event.seq, `asset ${hash} is missing`);
        if (sha256(bytes) !== hash) throw new LedgerError(event.seq, `asset ${hash} is not what its hash says`);
        assets.set(hash, bytes);
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
          const bytes = assets.get(hash);
          if (bytes === undefined) throw new LedgerError(event.seq, `asset ${hash} was not asked for`);
          return bytes;
        },
      };
    },
  };
}
