/** Mails go through the outbox: written with what they tell of, sent after the commit, tried again when sending fails. */
import type { Collections } from "../database/documents.ts";
import type { Store } from "../database/port.ts";
import { enqueue, type OutboxHandler } from "../jobs/outbox.ts";
import { composeMail, type MailTemplate } from "./compose.ts";
import type { SendMail } from "./send.ts";

export interface MailOrder {
  companyId: string;
  to: string | null;
  template: MailTemplate;
  values: Readonly<Record<string, string>>;
  at: string;
}

/** Nothing for who has no address. */
export async function orderMail(
  store: Store<Collections>,
  { companyId, to, template, values, at }: MailOrder,
): Promise<void> {
  if (to === null) return;
  await enqueue(store, { companyId, kind: "mail", payload: { to, template, values }, at });
}

export function mailHandler(send: SendMail): OutboxHandler {
  return async ({ payload }) => {
    const { to, template, values } = payload as { to: string; template: MailTemplate; values: Record<string, string> };
    await send(await composeMail(to, template, values));
  };
}
