/**
 * Checks a backup's passphrase. Attackers can try passphrases on a backup for years, so it must be stronger than a
 * password.
 */
import { ConfigError, type Config } from "../config.ts";
import { isCommonPassword } from "../sign-in/common-passwords.ts";

const shortest = 12;
const leastGuesses = 1e12;
const tooEasy = "too easy to guess: expected some words that you draw at random";

/**
 * Passphrases from guides and standards. Attackers try them first, although a strength check by dictionary rates them
 * as strong.
 */
const examples = new Set([
  "correcthorsebatterystaple",
  "thequickbrownfoxjumpsoverthelazydog",
  "thisisaverylongpassphrase",
  "thisisaverylongpassword",
  "tobeornottobethatisthequestion",
  "tobeornottobe",
  "maytheforcebewithyou",
  "twinkletwinklelittlestar",
  "nevergonnagiveyouup",
]);

/** Checks a new passphrase. @returns the problem; null if the passphrase is strong enough */
export async function findPassphraseProblem(text: string): Promise<string | null> {
  if (text.length < shortest) return `expected at least ${shortest} characters`;
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (examples.has(words) || (await isCommonPassword(words))) return tooEasy;
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const { guesses } = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(text.normalize("NFC"), [
    "sopwright",
    "backup",
    "passphrase",
  ]);
  return guesses >= leastGuesses ? null : tooEasy;
}

/** Checks the configured passphrase. Call before the server or a task makes a backup. @throws ConfigError */
export async function assertBackupPassphrase({ passphrase }: Config["backup"]): Promise<void> {
  const problem = passphrase === null ? null : await findPassphraseProblem(passphrase);
  if (problem !== null) throw new ConfigError([`BACKUP_PASSPHRASE: ${problem}`]);
}
