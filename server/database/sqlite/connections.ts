/** Opens the two connections of a server: one for writing, one for reading. */
import { dirname } from "node:path";
import { isOutOfSpaceError } from "../../file-errors.ts";
import { SqliteConnection } from "./connection.ts";
import { lockFolder } from "./lock.ts";
import { readWriteAheadLog } from "./log-end.ts";
import { LogSync } from "./log-sync.ts";
import { loadFieldTypes } from "./schema.ts";
import { openAndRestoreSchema } from "./schema-copy.ts";
import type { SqliteTable } from "./table.ts";

export interface ConnectionsOptions {
  /** The maximum size of the file in bytes. Larger writes fail as on a full disk. */
  maxBytes?: number;
  /**
   * Called for a damaged part of the file that contains no documents, such as an index.
   * @param isMade whether the part was rebuilt
   */
  onRepair?: (what: string, isMade: boolean) => void;
  /** Called when the end of the write-ahead log can't be read. @param changes the number of lost changes */
  onDropped?: (changes: number) => void;
  /** Called when the disk is full. @returns whether some space was freed, so that another try makes sense */
  makeSpace?: () => boolean;
}

export class Connections {
  readonly writing: SqliteConnection;
  readonly reading: SqliteConnection;
  readonly log: LogSync;
  readonly #tables: ReadonlyMap<string, SqliteTable>;
  readonly #maxPages: number | null;
  readonly #file: string;
  readonly #onRepair: ConnectionsOptions["onRepair"];
  readonly #onDropped: ConnectionsOptions["onDropped"];
  #release: (() => void) | null = null;

  /** Locks the folder and opens both connections. @throws DataFolderInUseError */
  constructor(
    file: string,
    tables: ReadonlyMap<string, SqliteTable>,
    { maxBytes, onRepair, onDropped, makeSpace = () => false }: ConnectionsOptions = {},
  ) {
    this.#tables = tables;
    this.#onRepair = onRepair;
    this.#onDropped = onDropped;
    this.#maxPages = maxBytes === undefined ? null : Math.floor(maxBytes / 4096);
    this.#file = file;
    this.writing = new SqliteConnection(file, "closed");
    this.reading = new SqliteConnection(file, "closed");
    this.log = new LogSync(file);
    try {
      this.#openBoth();
    } catch (error) {
      // SQLite needs space for files next to the database, and so does the folder's lock
      if (!isOutOfSpaceError(error) || !makeSpace()) throw error;
      this.#openBoth();
    }
  }

  close(): void {
    this.log.close();
    this.reading.close();
    this.writing.close();
    this.#release?.();
    this.#release = null;
  }

  #openBoth(): void {
    try {
      this.#release = lockFolder(dirname(this.#file));
      const log = readWriteAheadLog(this.#file);
      if (log.dropped > 0) this.#onDropped?.(log.dropped);
      if (openAndRestoreSchema(this.#file, this.writing, { log, tables: this.#tables.keys() }))
        this.#onRepair?.("the list of tables", true);
      this.writing.exec("PRAGMA journal_mode=WAL");
      // `log` syncs commits, and a worker thread runs checkpoints, so SQLite needn't do either
      this.writing.exec("PRAGMA synchronous=NORMAL");
      this.writing.exec("PRAGMA wal_autocheckpoint=0");
      if (this.#maxPages !== null) this.writing.exec(`PRAGMA max_page_count=${this.#maxPages}`);
      loadFieldTypes(this.writing, this.#tables);
      this.reading.open("read");
    } catch (error) {
      this.close();
      throw error;
    }
  }
}
