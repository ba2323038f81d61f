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
import { createInvitationMailHandler } from "./invitations/mail.ts";
import { startOutbox, type Outbox, type OutboxHandler, type OutboxOptions } from "./jobs/outbox.ts";
import { createMailHandler } from "./mail/outbox.ts";
import { createMailer, type SendMail } from "./mail/send.ts";
import { createDigestHandler, digestKind } from "./notifications/digest.ts";
import { createConfirmationMailHandler, confirmationKind } from "./sign-in/confirm-email.ts";
import { createForgottenPasswordHandler } from "./sign-in/forgot-password.ts";
import { createResetMailHandler } from "./sign-in/issue-reset.ts";

type HandlersByKind = Readonly<Record<string, OutboxHandler>>;

const createEmailHandlers = (services: Services, send: SendMail): HandlersByKind => ({
  mail: createMailHandler(send),
  "password-reset": createResetMailHandler(services, send),
  [confirmationKind]: createConfirmationMailHandler(services, send),
  invitation: createInvitationMailHandler(services, send),
  [digestKind]: createDigestHandler(services, send),
});

/**
 * Creates the handlers of all kinds of items, by outbox and kind. The outbox named `outbox` handles all kinds that no
 * other outbox has.
 */
export function createHandlersByOutbox(services: Services, all: readonly Follower[] = followers) {
  const { config, log, db, clock } = services;
  const outgoing = all.filter(({ isOutgoing }) => isOutgoing);
  const others = all.filter(({ isOutgoing }) => !isOutgoing);
  return {
    emails: createEmailHandlers(services, createMailer(config, log)),
    ...Object.fromEntries(outgoing.map((one) => [one.name, createOutboxHandlers(services, [one])])),
    outbox: {
      "password-forgotten": createForgottenPasswordHandler(services, createLimiters(db, clock, config.trustedNetworks)),
      ...createOutboxHandlers(services, others),
      [unusedObjectKind]: createUnusedObjectHandler(services),
    },
  } satisfies Record<string, HandlersByKind>;
}

export function startOutboxes(
  services: Services,
  handlers: ReturnType<typeof createHandlersByOutbox>,
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
