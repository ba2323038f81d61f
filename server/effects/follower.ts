import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import type { DomainEvent, EventKind } from "./events.ts";

/** Work that follows from events of some kinds (`docs/decisions/0097-one-effect-for-each-change.md`). */
export interface Follower<K extends EventKind = EventKind> {
  /** The follower's name, and the kind of its items in the outbox. */
  name: string;
  follows: readonly K[];
  /** True if the work calls another server. Its items then have an outbox of their own. */
  isOutgoing?: true;
  /** Runs in the transaction of the change, for state that must never differ from it. */
  within?(tx: Transaction<Collections>, event: DomainEvent<K>): Promise<void>;
  /**
   * Runs from the outbox: at least once, in any order. It reads the present state, and stores there what it has done. Another server recognizes a
   * repeated call by the id of the item.
   * @param item its id is the same in each try; its signal is aborted when the server stops and has waited long enough
   */
  later?(services: Services, event: DomainEvent<K>, item: { id: string; signal: AbortSignal }): Promise<void>;
}
