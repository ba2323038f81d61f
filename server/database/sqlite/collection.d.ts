import type { BaseDocument, Collection } from "../port.ts";
import { type Session, type WriteSession } from "./session.ts";
import type { Table } from "./table.ts";
export interface Reach {
  read<T>(perform: (session: Session) => T): Promise<T>;
  write<T>(perform: (session: WriteSession) => T): Promise<T>;
}
export declare function collectionOf<T extends BaseDocument>(table: Table, { read, write }: Reach): Collection<T>;
