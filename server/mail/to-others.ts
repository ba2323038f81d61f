/**
 * Limits emails to addresses that a user enters. Strangers can register, so senders must confirm their own address
 * before they email another person, and then have a limit a day. Senders can always copy the link. To an address that
 * users claim as their own, they can send a few links a day, in emails without names.
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
 * Says whether the user can email without a confirmed address, and without the lower limit of a new company. Only the
 * operator or a system administrator can create such a user.
 */
const isTrusted = ({ role }: UserDocument) => role === "system_admin";

/**
 * Counts an email to another person, or returns the reason why it can't be sent. Without a mail server, emails are only
 * files that the recipient can't read. The caller can then copy the link.
 * @returns null if the email was counted and can be sent
 * @throws AppError rate_limited if the recipient gets too many
 */
export async function countEmailTo(
  services: SendEmailServices,
  limiters: EmailLimits,
  sender: UserDocument,
  recipient: string,
): Promise<UnsentReason | null> {
  if (!canSendEmail(services.config)) return "no_mail_server";
  const unsent = await countEmailFrom(services, limiters, sender);
  if (unsent === null) await limiters.takeMailTo(recipient);
  return unsent;
}

/**
 * Like `countEmailTo`, for a reset link that an administrator sends. For a confirmed address, the administrator's
 * limits don't count, because the user could also request the link. Returns null for a user without an address.
 */
export async function countResetEmailTo(
  services: SendEmailServices,
  limiters: EmailLimits,
  sender: UserDocument,
  { email, emailVerified }: Pick<UserDocument, "email" | "emailVerified">,
): Promise<UnsentReason | null> {
  if (email === null) return null;
  if (!emailVerified) return countEmailTo(services, limiters, sender, email);
  if (!canSendEmail(services.config)) return "no_mail_server";
  await limiters.takeMailTo(email);
  return null;
}

/**
 * Counts an email with a reset link to a user with an unconfirmed address. If an administrator set the address, the
 * email counts as the administrator's.
 * @returns false if a limit is reached, so that the email can't be sent
 */
export async function countUnconfirmedResetEmail(
  services: CompanyAgeServices & Pick<Services, "db">,
  limiters: Pick<Limiters, "takeEmailOfDay">,
  user: UserDocument,
): Promise<boolean> {
  const reset = { of: `reset ${user._id}`, atMost: resetsOfDay };
  if (user.emailNamedBy == null) return limiters.takeEmailOfDay([reset, await dailyCompanyLimit(services, user)]);
  const administrator = await services.db.collection("users").findOne({ _id: user.emailNamedBy });
  return administrator !== null && (await countEmailFrom(services, limiters, administrator, [reset])) === null;
}

/**
 * Counts an email by which users confirm an address that they claim as their own.
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
  if (!(await limiters.takeEmailOfDay([await dailyCompanyLimit(services, user)])))
    throw new AppError("rate_limited", waitRefusals.emails(), { retryAfterSeconds: 3600 });
}

type DailyEmailLimit = Parameters<Limiters["takeEmailOfDay"]>[0][number];

/** Counts an email by its sender. @returns the reason why it can't be sent; null if it was counted */
async function countEmailFrom(
  services: CompanyAgeServices,
  limiters: Pick<Limiters, "takeEmailOfDay">,
  sender: UserDocument,
  others: readonly DailyEmailLimit[] = [],
): Promise<UnsentReason | null> {
  if (!isTrusted(sender) && (sender.email === null || !sender.emailVerified)) return "unconfirmed";
  const taken = await limiters.takeEmailOfDay([
    ...others,
    { of: `user ${sender._id}`, atMost: limits.emailsOfUserDay },
    // count by address too, because one mailbox can confirm many accounts
    ...(sender.email === null ? [] : [{ of: `address ${sender.email}`, atMost: limits.emailsOfUserDay }]),
    await dailyCompanyLimit(services, sender),
  ]);
  return taken ? null : "limit";
}

/** Returns the limit on the emails of the sender's company a day. A new company has a lower one. */
async function dailyCompanyLimit(
  { companies, clock }: CompanyAgeServices,
  sender: UserDocument,
): Promise<DailyEmailLimit> {
  const company = await companies.get(sender.companyId);
  const isNew = !isTrusted(sender) && clock.millis() - Date.parse(company?.createdAt ?? clock.now()) < newForMs;
  const atMost = isNew ? limits.emailsOfNewCompanyDay : limits.emailsOfCompanyDay;
  return { of: `company ${sender.companyId}`, atMost };
}
