import type { Database, Declarations, Migration, QueryRecord } from "../port.ts";
export interface SqliteOptions<Collections> {
  migrations?: readonly Migration<Collections>[];
  /** Reads beside a running server: takes no lock, writes nothing, sees every commit. */
  readOnly?: boolean;
  /** Told of every query with its plan: for the test that fails on a full scan. */
  onQuery?: (record: QueryRecord) => void;
  /** How much the document cache holds, in characters of JSON. */
  cacheCharacters?: number;
  /** The largest size of the file; beyond it writes are refused as on a full disk. */
  maxBytes?: number;
}
export interface SqliteDatabase<Collections> extends Database<Collections> {
  readonly engine: "sqlite";
  readonly file: string;
}
/** @param path the data folder, or the database file in it @throws DataFolderInUseError */
export declare function openSqlite<Collections>(
  path: string,
  declarations: Declarations<Collections>,
  options?: SqliteOptions<Collections>,
): SqliteDatabase<Collections>;
