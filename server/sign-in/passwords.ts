/**
 * Hashes passwords with Argon2id (ASVS 5.0 parameters), in a fair queue so that many sign-ins at once can't use up the
 * machine.
 */
import { hash, verify } from "@node-rs/argon2";
import { AppError } from "#core/errors.ts";
import { createFairQueue, type FairQueue } from "../capacity/fair-queue.ts";
import { resources } from "../capacity/resources.ts";
import type { Config } from "../config.ts";
import { isCommonPassword } from "./common-passwords.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";

// 2 is Argon2id. The package's enum is declared const and can't be imported under isolated modules
const parameters = { algorithm: 2, memoryCost: 47_104, timeCost: 1, parallelism: 1, outputLen: 32 } as const;
const longest = 128;
const productName = "sopwright";
const presentHashPrefix = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`;

export interface PasswordRules {
  /** The names of the user and the company, which aren't allowed as passwords. */
  ownWords: readonly string[];
  /** The company's minimum length. It can only be stricter than the server's. */
  companyMinimum?: number | null;
  /** The field of the form that a refusal is about. */
  field?: string;
}

/** Returns the minimum number of characters of a new password. */
export function passwordMinimum(config: Pick<Config, "passwordMinimum">, companyMinimum?: number | null): number {
  return Math.max(config.passwordMinimum, companyMinimum ?? 0);
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Verifies a password. It takes as long for a user who doesn't exist (`hash` null) as for an existing user. */
  verify(hash: string | null, password: string): Promise<boolean>;
  /** Says whether the hash has outdated parameters. The next sign-in hashes the password again. */
  isOutdated(hash: string): boolean;
  /** @throws AppError invalid_input when a new password is too short or too common */
  assertAcceptable(password: string, rules: PasswordRules): Promise<void>;
}

export function createPasswords(
  config: Pick<Config, "passwordMinimum" | "passwordBlocklist">,
  queue: FairQueue = createFairQueue(resources.passwords),
): Passwords {
  let stranger: Promise<string> | null = null;
  const hashInQueue = (password: string) => queue.run(() => hash(password, parameters));
  return {
    hash: hashInQueue,
    async verify(stored, password) {
      // after a failure, the hash for unknown names is computed again: a stored failure would distinguish unknown names
      // from known names
      stranger ??= hashInQueue("no user's password").catch((error: unknown) => {
        stranger = null;
        throw error;
      });
      const known = (await Promise.all([stored ?? stranger, stranger]))[0];
      const matches = await queue.run(() => verify(known, password));
      return matches && stored !== null;
    },
    isOutdated: (stored) => !stored.startsWith(presentHashPrefix),
    async assertAcceptable(password, { ownWords, companyMinimum, field = "password" }) {
      const minimum = passwordMinimum(config, companyMinimum);
      if (password.length < minimum) throw passwordFieldError(refusals.shortPassword({ minimum }), field);
      if (password.length > longest) throw passwordFieldError(refusals.longPassword({ longest }), field);
      if (!config.passwordBlocklist) return;
      const folded = password.toLowerCase();
      if (
        folded === productName ||
        ownWords.some((word) => word.length >= 3 && folded === word.toLowerCase()) ||
        (await isCommonPassword(folded))
      ) {
        throw passwordFieldError(refusals.commonPassword(), field);
      }
    },
  };
}

function passwordFieldError(message: MessageWithId, field: string): AppError {
  return new AppError("invalid_input", message, { [field]: message });
}
