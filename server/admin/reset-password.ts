/**
 * `reset-password`: lets an operator give users, including administrators, access without their password and without
 * email.
 */
import { newPassword } from "#core/sign-in/schema.ts";
import { systemClock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { createResetLinkToHandOver } from "../sign-in/issue-reset.ts";
import { createPasswords } from "../sign-in/passwords.ts";
import { recordAccountEvent } from "../sign-in/record.ts";
import { setPassword } from "../sign-in/set-password.ts";
import { readTaskConfig, type Config } from "../config.ts";
import type { Collections, CompanyDocument, UserDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import type { Origin } from "../http/call.ts";
import { openDatabaseForTask } from "../open-for-task.ts";
import { assertDataFolder } from "./companies.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";
import { readPasswordFromStdin } from "./read-stdin.ts";
import { refusals } from "./refusals.ts";
import { untranslated } from "#core/language/catalog.ts";

interface ResetOptions extends OutputFlags {
  username: string;
  passwordStdin?: boolean;
}

interface AccountToReset {
  user: UserDocument;
  company: CompanyDocument;
}

/** The origin in audit rows of this command, which isn't called over the network. */
const origin: Origin = { requestId: "operator", ipAddress: null, userAgent: "sop admin reset-password" };

export async function resetPasswordCommand(options: ResetOptions, output: AdminOutput): Promise<number> {
  const config = readTaskConfig();
  await assertDataFolder(config);
  const db = await openDatabaseForTask(config);
  try {
    const account = await findAccount(db, options.username.trim().toLowerCase());
    const { username } = account.user;
    if (options.passwordStdin) {
      await setPasswordFromStdin(db, config, account);
      output.data(`${username} has a new password; every session and token of before has ended`, { username });
    } else {
      const link = await createResetLink(db, config, account.user);
      output.say("this one-time link sets a new password within 1 hour:");
      output.data(link, { username, link });
    }
    return 0;
  } finally {
    await db.close();
  }
}

/** Finds the user and the company. @throws AppError for a user who can't sign in even with a new password */
async function findAccount(db: Database<Collections>, username: string): Promise<AccountToReset> {
  const user = await db.collection("users").findOne({ username });
  const company = user && (await db.collection("companies").findOne({ _id: user.companyId }));
  if (!user || !company) throw new AppError("not_found", refusals.unknownUser({ username }));
  if (user.status !== "active")
    throw new AppError("conflict", refusals.inactiveUser({ username, status: user.status }));
  if (company.status !== "active")
    throw new AppError("conflict", refusals.inactiveCompany({ slug: company.slug, status: company.status }));
  return { user, company };
}

/** Creates a reset link. The link isn't emailed, because the operator hands it to the user. */
async function createResetLink(db: Database<Collections>, config: Config, user: UserDocument): Promise<string> {
  const at = systemClock.now();
  const url = publicOrLocalUrl(config);
  return db.transaction(async (tx) => {
    await recordAccountEvent(tx, { user, action: "account.reset_link", at, origin, byOperator: true });
    return createResetLinkToHandOver(tx, { user, at, url });
  });
}

async function setPasswordFromStdin(
  db: Database<Collections>,
  config: Config,
  { user, company }: AccountToReset,
): Promise<void> {
  const parsed = newPassword.safeParse(await readPasswordFromStdin());
  if (!parsed.success) throw new AppError("invalid_input", untranslated(parsed.error.issues[0]?.message ?? ""));
  const passwords = createPasswords(config);
  await passwords.assertAcceptable(parsed.data, {
    ownWords: [user.username, user.name, company.name],
    companyMinimum: company.settings.passwordMinimum,
  });
  const passwordHash = await passwords.hash(parsed.data);
  const at = systemClock.now();
  await db.transaction((tx) =>
    setPassword(tx, {
      user,
      passwordHash,
      action: "account.password_reset",
      at,
      origin,
      byOperator: true,
      url: publicOrLocalUrl(config),
    }),
  );
}

function publicOrLocalUrl({ publicUrl, port }: Config): string {
  return publicUrl ?? `http://localhost:${port}`;
}
