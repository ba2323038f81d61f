/**
 * Emails that a user has sent to addresses that the user names. A stranger may register, so nothing goes out before the
 * sender's own address is confirmed, and then a bounded number a day. The link can be copied in any case.
 */
import { limits } from "#core/limits.ts";
import type { Unsent } from "#core/users/schema.ts";
import type { UserDocument } from "../database/documents.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";

const newForMs = 7 * 24 * 3_600_000;

/** System administrators are made by the operator, or by one another. */
const isTrusted = ({ role }: UserDocument) => role === "system_admin";

/**
 * Counts the email.
 * @returns why it may not be sent, or null
 * @throws AppError rate_limited if the recipient gets too many
 */
export async function refuseEmailTo(
  { companies, clock }: Pick<Services, "companies" | "clock">,
  limiters: Pick<Limiters, "takeMailTo" | "takeEmailOfDay">,
  sender: UserDocument,
  recipient: string,
): Promise<Unsent | null> {
  if (!isTrusted(sender) && (sender.email === null || !sender.emailVerified)) return "unconfirmed";
  const company = await companies.get(sender.companyId);
  const isNew = !isTrusted(sender) && clock.millis() - Date.parse(company?.createdAt ?? clock.now()) < newForMs;
  const taken = await limiters.takeEmailOfDay([
    { of: `user ${sender._id}`, atMost: limits.emailsOfUserDay },
    // one mailbox can confirm many accounts
    ...(sender.email === null ? [] : [{ of: `address ${sender.email}`, atMost: limits.emailsOfUserDay }]),
    { of: `company ${sender.companyId}`, atMost: isNew ? limits.emailsOfNewCompanyDay : limits.emailsOfCompanyDay },
  ]);
  if (!taken) return "limit";
  await limiters.takeMailTo(recipient);
  return null;
}
