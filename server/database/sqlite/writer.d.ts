/** The one write connection behind a queue: whoever holds it has the whole transaction. */
import type { QueryRecord } from "../port.ts";
import type { Connection } from "./connection.ts";
import { WriteSession } from "./session.ts";
export declare class Writer {
  #private;
  constructor(
    connection: Connection,
    onQuery: ((record: QueryRecord) => void) | undefined,
    committed: (names: ReadonlySet<string>) => void,
  );
  /** Resolves when what `work` wrote is on disk. */
  run<T>(work: (session: WriteSession) => T | Promise<T>): Promise<T>;
  /** Waits for what is queued. */
  idle(): Promise<void>;
}
