import { randomBytes } from "node:crypto";
import type { Services } from "../http/services.ts";

/**
 * Checks and hashes a new password.
 * @throws AppError invalid_input when the password is too short for the server or the company, or too common
 */
export async function hashAcceptedPassword(
  { passwords, companies }: Pick<Services, "passwords" | "companies">,
  password: string,
  { companyId, username, name }: { companyId: string; username: string; name: string },
): Promise<string> {
  const company = await companies.get(companyId);
  await passwords.assertAcceptable(password, {
    ownWords: [username, name, ...(company ? [company.name] : [])],
    companyMinimum: company?.settings.passwordMinimum ?? null,
  });
  return passwords.hash(password);
}

/** Returns the hash of a random password that no one knows. The user then chooses a password through a link. */
export function hashUnknownPassword({ passwords }: Pick<Services, "passwords">): Promise<string> {
  return passwords.hash(randomBytes(32).toString("base64url"));
}
