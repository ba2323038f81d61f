/**
 * Starts the server's outboxes with the handlers of their items. Emails, and each follower that calls another server,
 * have a separate outbox, so that a slow server doesn't delay other work.
 */
import { createUnusedObjectHandler, unusedObjectKind } from "./blobs/unused.ts";
import { createOutboxHandlers } from "./effects/follow.ts";
import type { Follower } from "./effects/follower.ts";
import { followers } from "./effects/followers.ts";
import { createLimiters } from "./http/limiters.ts";
import type { Services } from "./http/services.ts";
import { invitationMailHandler } from "./invitations/mail.ts";
import { startOutbox, type Outbox, type OutboxHandler, type OutboxOptions } from "./jobs/outbox.ts";
import { mailHandler } from "./mail/outbox.ts";
import { createMailer, type SendMail } from "./mail/send.ts";
import { digestHandler, digestKind } from "./notifications/digest.ts";
import { confirmationMailHandler, confirmationKind } from "./sign-in/confirm-email.ts";
import { createResetHandler } from "./sign-in/forgot-password.ts";
import { passwordResetHandler } from "./sign-in/issue-reset.ts";

type HandlersByKind = Readonly<Record<string, OutboxHandler>>;

const emailHandlersOf = (services: Services, send: SendMail): HandlersByKind => ({
  mail: mailHandler(send),
  "password-reset": passwordResetHandler(services, send),
  [confirmationKind]: confirmationMailHandler(services, send),
  invitation: invitationMailHandler(services, send),
  [digestKind]: digestHandler(services, send),
});

/**
 * Returns the handlers by outbox: special outboxes handle some kinds of items, and `outbox` handles all other items.
 */
export function handlersByOutbox(services: Services, all: readonly Follower[] = followers) {
  const { config, log, db, clock } = services;
  const outgoing = all.filter(({ isOutgoing }) => isOutgoing);
  const others = all.filter(({ isOutgoing }) => !isOutgoing);
  return {
    emails: emailHandlersOf(services, createMailer(config, log)),
    ...Object.fromEntries(outgoing.map((one) => [one.name, createOutboxHandlers(services, [one])])),
    outbox: {
      "password-forgotten": createResetHandler(services, createLimiters(db, clock, config.trustedNetworks)),
      ...createOutboxHandlers(services, others),
      [unusedObjectKind]: createUnusedObjectHandler(services),
    },
  } satisfies Record<string, HandlersByKind>;
}

export function startOutboxes(
  services: Services,
  handlers: ReturnType<typeof handlersByOutbox>,
  work: Pick<OutboxOptions, "leases" | "jobs">,
): Record<string, Outbox> {
  const { db, clock, log } = services;
  const { outbox: rest, ...own } = handlers;
  const startNamedOutbox = (name: string, some: HandlersByKind, kind: { $in: string[] } | { $nin: string[] }) =>
    [name, startOutbox({ db, clock, log, ...work, name, handlers: some, of: { kind } })] as const;
  return Object.fromEntries([
    ...Object.entries(own).map(([name, some]) => startNamedOutbox(name, some, { $in: Object.keys(some) })),
    startNamedOutbox("outbox", rest, { $nin: Object.values(own).flatMap(Object.keys) }),
  ]);
}
