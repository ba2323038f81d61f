import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import type { DomainEvent, EventKind } from "./events.ts";

/** Reacts to events of some kinds (`docs/decisions/0097-one-effect-for-each-change.md`). */
export interface Follower<K extends EventKind = EventKind> {
  /** The follower's name, which is also the kind of its outbox items. */
  name: string;
  follows: readonly K[];
  /** True if `later` calls another server. The follower then has a separate outbox. */
  isOutgoing?: true;
  /** Runs in the transaction of the change, for data that must always agree with the change. */
  within?(tx: Transaction<Collections>, event: DomainEvent<K>): Promise<void>;
  /**
   * Runs from the outbox: at least once for each event, in any order. The function must read the present data, and
   * record what it has done.
   * @param item `id` is the same in each try, so that another server recognizes a repeated call; `signal` is aborted
   * when this server stops and has waited long enough
   */
  later?(services: Services, event: DomainEvent<K>, item: { id: string; signal: AbortSignal }): Promise<void>;
}
