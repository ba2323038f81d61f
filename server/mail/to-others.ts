/**
 * Limits emails to addresses that a user enters. Strangers can register, so senders must first confirm their own
 * address before they email another person, and then have a limit a day. They can always copy the link. Users can send
 * links to an address that they claim as their own: without names, a few a day.
 */
import { waitRefusals } from "#core/wait-refusals.ts";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import type { UnsentReason } from "#core/users/schema.ts";
import type { Config } from "../config.ts";
import type { UserDocument } from "../database/documents.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";

const newForMs = 7 * 24 * 3_600_000;
/** The maximum number of reset links a day to one user's unconfirmed address. */
const resetsOfDay = 10;

type CompanyAgeServices = Pick<Services, "companies" | "clock">;
type SendEmailServices = CompanyAgeServices & Pick<Services, "config">;
type EmailLimits = Pick<Limiters, "takeMailTo" | "takeEmailOfDay">;

/** Says whether the server sends emails. Without SMTP_URL, emails are files in the data folder. */
export const canSendEmail = ({ smtpUrl }: Pick<Config, "smtpUrl">): boolean => smtpUrl !== null;

/**
 * Says whether the user can send any number of emails: only the operator or another system administrator can create
 * such a user.
 */
const isTrusted = ({ role }: UserDocument) => role === "system_admin";

/**
 * Counts an email to another person. Without a mail server, it isn't sent: the recipient can't read the files, but the
 * caller can copy the link.
 * @returns the reason why the email can't be sent, or null
 * @throws AppError rate_limited if the recipient gets too many
 */
export async function refuseEmailTo(
  services: SendEmailServices,
  limiters: EmailLimits,
  sender: UserDocument,
  recipient: string,
): Promise<UnsentReason | null> {
  if (!canSendEmail(services.config)) return "no_mail_server";
  const unsent = await refuseEmailFrom(services, limiters, sender);
  if (unsent === null) await limiters.takeMailTo(recipient);
  return unsent;
}

/**
 * Like `refuseEmailTo`, for a reset link that an administrator sends. A confirmed address belongs to the user, who
 * could also request the link.
 */
export async function refuseResetTo(
  services: SendEmailServices,
  limiters: EmailLimits,
  sender: UserDocument,
  { email, emailVerified }: Pick<UserDocument, "email" | "emailVerified">,
): Promise<UnsentReason | null> {
  if (email === null) return null;
  if (!emailVerified) return refuseEmailTo(services, limiters, sender, email);
  if (!canSendEmail(services.config)) return "no_mail_server";
  await limiters.takeMailTo(email);
  return null;
}

/**
 * Says whether a reset link can be emailed to a user with an unconfirmed address, and counts the email. If an
 * administrator set the address, the email counts as the administrator's.
 */
export async function canMailUnconfirmed(
  services: CompanyAgeServices & Pick<Services, "db">,
  limiters: Pick<Limiters, "takeEmailOfDay">,
  user: UserDocument,
): Promise<boolean> {
  const reset = { of: `reset ${user._id}`, atMost: resetsOfDay };
  if (user.emailNamedBy == null) return limiters.takeEmailOfDay([reset, await dailyCompanyCount(services, user)]);
  const administrator = await services.db.collection("users").findOne({ _id: user.emailNamedBy });
  return administrator !== null && (await refuseEmailFrom(services, limiters, administrator, [reset])) === null;
}

/**
 * Counts an email that confirms an address which users claim as their own.
 * @throws AppError rate_limited if the user, the recipient or the company gets too many
 */
export async function countConfirmationEmail(
  services: CompanyAgeServices,
  limiters: EmailLimits & Pick<Limiters, "takeConfirmation">,
  user: UserDocument,
  recipient: string,
): Promise<void> {
  await limiters.takeConfirmation(user._id);
  await limiters.takeMailTo(recipient);
  if (!(await limiters.takeEmailOfDay([await dailyCompanyCount(services, user)])))
    throw new AppError("rate_limited", waitRefusals.emails(), { retryAfterSeconds: 3600 });
}

type DailyEmailCount = Parameters<Limiters["takeEmailOfDay"]>[0][number];

async function refuseEmailFrom(
  services: CompanyAgeServices,
  limiters: Pick<Limiters, "takeEmailOfDay">,
  sender: UserDocument,
  others: readonly DailyEmailCount[] = [],
): Promise<UnsentReason | null> {
  if (!isTrusted(sender) && (sender.email === null || !sender.emailVerified)) return "unconfirmed";
  const taken = await limiters.takeEmailOfDay([
    ...others,
    { of: `user ${sender._id}`, atMost: limits.emailsOfUserDay },
    // count by address too, because one mailbox can confirm many accounts
    ...(sender.email === null ? [] : [{ of: `address ${sender.email}`, atMost: limits.emailsOfUserDay }]),
    await dailyCompanyCount(services, sender),
  ]);
  return taken ? null : "limit";
}

async function dailyCompanyCount(
  { companies, clock }: CompanyAgeServices,
  sender: UserDocument,
): Promise<DailyEmailCount> {
  const company = await companies.get(sender.companyId);
  const isNew = !isTrusted(sender) && clock.millis() - Date.parse(company?.createdAt ?? clock.now()) < newForMs;
  const atMost = isNew ? limits.emailsOfNewCompanyDay : limits.emailsOfCompanyDay;
  return { of: `company ${sender.companyId}`, atMost };
}
