import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Services } from "../http/services.ts";
import { enqueueOutboxItems, type OutboxHandler } from "../jobs/outbox.ts";
import type { DomainEvent } from "./events.ts";
import type { Follower } from "./follower.ts";

/**
 * Runs the followers' `within` in the transaction of the change, and stores an outbox item for each follower with
 * `later`.
 */
export async function runAndEnqueueFollowers(
  tx: Transaction<Collections>,
  followers: readonly Follower[],
  events: readonly DomainEvent[],
): Promise<void> {
  const followed = events.flatMap((event) =>
    followers.flatMap((follower) => (follower.follows.includes(event.kind) ? [{ follower, event }] : [])),
  );
  for (const { follower, event } of followed) await follower.within?.(tx, event);
  await enqueueOutboxItems(
    tx,
    followed.flatMap(({ follower, event }) =>
      follower.later ? [{ companyId: event.companyId, kind: follower.name, payload: { ...event }, at: event.at }] : [],
    ),
  );
}

/** Returns the handlers of the followers' outbox items, by the kind of item. */
export function createOutboxHandlers(
  services: Services,
  followers: readonly Follower[],
): Record<string, OutboxHandler> {
  return Object.fromEntries(
    followers
      .filter(({ later }) => later)
      .map((follower): [string, OutboxHandler] => [
        follower.name,
        async ({ _id: id, payload }, signal) =>
          follower.later?.(services, payload as unknown as DomainEvent, { id, signal }),
      ]),
  );
}
