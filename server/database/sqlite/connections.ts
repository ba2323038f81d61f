/**
 * The two connections of a server: one writes, one reads. SQLite needs space for files beside the database, and so does
 * the folder's lock. On a full disk, one connection with exclusive access reads without them. Each write then first
 * tries to open the usual two.
 */
import { dirname } from "node:path";
import { StorageFullError } from "../port.ts";
import { Connection } from "./connection.ts";
import { lockFolder } from "./lock.ts";
import { readLog } from "./log-end.ts";
import { LogSync } from "./log-sync.ts";
import { createSchema, loadFieldTypes } from "./schema.ts";
import { keepSchema, openRestored } from "./schema-copy.ts";
import type { Table } from "./table.ts";

const tryEveryMs = 1_000;

export interface ConnectionsOptions {
  /** The largest size of the file; beyond it writes are refused as on a full disk. */
  maxBytes?: number;
  /** Called when a part of the file is damaged that repeats or lists documents. @param isMade it is made again */
  onRepair?: (what: string, isMade: boolean) => void;
  /** Called when the end of the write-ahead log can't be read. @param changes that were there */
  onDropped?: (changes: number) => void;
}

export class Connections {
  readonly writing: Connection;
  readonly reading: Connection;
  readonly log: LogSync;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #maxPages: number | null;
  readonly #file: string;
  readonly #onRepair: ConnectionsOptions["onRepair"];
  readonly #onDropped: ConnectionsOptions["onDropped"];
  #release: (() => void) | null = null;
  #triedAt = 0;

  /** @throws DataFolderInUseError */
  constructor(
    file: string,
    tables: ReadonlyMap<string, Table>,
    { maxBytes, onRepair, onDropped }: ConnectionsOptions = {},
  ) {
    this.#tables = tables;
    this.#onRepair = onRepair;
    this.#onDropped = onDropped;
    this.#maxPages = maxBytes === undefined ? null : Math.floor(maxBytes / 4096);
    this.#file = file;
    this.writing = new Connection(file, "closed");
    this.reading = new Connection(file, "closed");
    this.log = new LogSync(file);
    try {
      this.#openBoth();
    } catch (error) {
      if (!(error instanceof StorageFullError)) throw error;
      this.#openAlone();
    }
  }

  /** Opened on a full disk: reads only. */
  get isAlone(): boolean {
    return this.#release === null;
  }

  /** Before a write. @throws StorageFullError while the disk is as full as it was at the start */
  assertWritable(): void {
    this.log.assertWhole();
    if (!this.isAlone) return;
    if (performance.now() - this.#triedAt < tryEveryMs) throw new StorageFullError();
    this.reading.close();
    try {
      this.#openBoth();
      this.writing.exec("BEGIN IMMEDIATE");
      createSchema(this.writing, this.#tables.values());
      this.writing.exec("COMMIT");
      keepSchema(this.#file, this.writing);
      loadFieldTypes(this.writing, this.#tables);
    } catch (error) {
      this.close();
      this.#openAlone();
      throw error;
    }
  }

  /** Does the file already have all that `prepare` would write? */
  isPrepared(): boolean {
    const found = new Set(this.reading.all("SELECT name FROM sqlite_schema").map(({ name }) => name));
    return [...this.#tables.keys()].every((name) => found.has(name));
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
      const log = readLog(this.#file);
      if (log.dropped > 0) this.#onDropped?.(log.dropped);
      if (openRestored(this.#file, this.writing, { log, tables: this.#tables.keys() }))
        this.#onRepair?.("the list of tables", true);
      this.writing.exec("PRAGMA journal_mode=WAL");
      // commits are synced by `log`, and checkpoints run in a thread of their own
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

  #openAlone(): void {
    this.#triedAt = performance.now();
    this.reading.open("alone");
    loadFieldTypes(this.reading, this.#tables);
  }
}
