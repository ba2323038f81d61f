import type { Connection } from "./connection.ts";
export declare class DataFolderInUseError extends Error {
  readonly pid: number;
  constructor(folder: string, pid: number);
}
/**
 * Takes the folder over from nobody or from a process that is gone. The database's own write lock keeps two starting
 * processes apart, so there is no moment in which both believe they have it.
 * @returns release
 * @throws DataFolderInUseError
 */
export declare function lockFolder(folder: string, connection: Connection): () => void;
