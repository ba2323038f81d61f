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

/** Says whether emails reach people. Otherwise they are files in the data folder. */
export const sendsEmail = ({ smtpUrl }: Pick<Config, "smtpUrl">): boolean => smtpUrl !== null;

/** Says whether the user has no limits: only the operator or another system administrator can create one. */
const isTrusted = ({ role }: UserDocument) => role === "system_admin";

/**
 * Counts an email. Without a mail server, none is sent: the recipient can't read the files, but the caller can copy the
 * link.
 * @returns why it can't be sent, or null
 * @throws AppError rate_limited if the recipient gets too many
 */
export async function refuseEmailTo(
  services: SendEmailServices,
  limiters: EmailLimits,
  sender: UserDocument,
  recipient: string,
): Promise<UnsentReason | null> {
  if (!sendsEmail(services.config)) return "no_mail_server";
  const unsent = await refuseEmailOf(services, limiters, sender);
  if (unsent === null) await limiters.takeMailTo(recipient);
  return unsent;
}

/**
 * Like `refuseEmailTo`, for a reset link that an administrator sends. A confirmed address is the user's own, who could
 * ask for the link too.
 */
export async function refuseResetTo(
  services: SendEmailServices,
  limiters: EmailLimits,
  sender: UserDocument,
  { email, emailVerified }: Pick<UserDocument, "email" | "emailVerified">,
): Promise<UnsentReason | null> {
  if (email === null) return null;
  if (!emailVerified) return refuseEmailTo(services, limiters, sender, email);
  if (!sendsEmail(services.config)) return "no_mail_server";
  await limiters.takeMailTo(email);
  return null;
}

/**
 * Call before a reset link to a user with an unconfirmed address; strangers can request it. If an administrator set the
 * address, the email counts as the administrator's. Counts the email if it can be sent.
 */
export async function mayMailUnconfirmed(
  services: CompanyAgeServices & Pick<Services, "db">,
  limiters: Pick<Limiters, "takeEmailOfDay">,
  user: UserDocument,
): Promise<boolean> {
  const reset = { of: `reset ${user._id}`, atMost: resetsOfDay };
  if (user.emailNamedBy == null) return limiters.takeEmailOfDay([reset, await companyOfDay(services, user)]);
  const administrator = await services.db.collection("users").findOne({ _id: user.emailNamedBy });
  return administrator !== null && (await refuseEmailOf(services, limiters, administrator, [reset])) === null;
}

/**
 * Call before a link that confirms an address that users name as their own.
 * @throws AppError rate_limited if the user, the recipient or the company gets too many
 */
export async function takeConfirmation(
  services: CompanyAgeServices,
  limiters: EmailLimits & Pick<Limiters, "takeConfirmation">,
  user: UserDocument,
  recipient: string,
): Promise<void> {
  await limiters.takeConfirmation(user._id);
  await limiters.takeMailTo(recipient);
  if (!(await limiters.takeEmailOfDay([await companyOfDay(services, user)])))
    throw new AppError("rate_limited", waitRefusals.emails(), { retryAfterSeconds: 3600 });
}

type DailyEmailCount = Parameters<Limiters["takeEmailOfDay"]>[0][number];

async function refuseEmailOf(
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
    await companyOfDay(services, sender),
  ]);
  return taken ? null : "limit";
}

async function companyOfDay({ companies, clock }: CompanyAgeServices, sender: UserDocument): Promise<DailyEmailCount> {
  const company = await companies.get(sender.companyId);
  const isNew = !isTrusted(sender) && clock.millis() - Date.parse(company?.createdAt ?? clock.now()) < newForMs;
  const atMost = isNew ? limits.emailsOfNewCompanyDay : limits.emailsOfCompanyDay;
  return { of: `company ${sender.companyId}`, atMost };
}
