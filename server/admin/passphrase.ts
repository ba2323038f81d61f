/** Gets the passphrase for keys in a backup: from the settings, or by a question on the terminal. */
import process from "node:process";
import { AppError } from "#core/errors.ts";
import type { Config } from "../config.ts";
import type { OutputFlags } from "./output.ts";
import { openPrompt } from "./prompt.ts";
import { assertBackupPassphrase, findPassphraseProblem } from "../backup/passphrase-strength.ts";
import { refusals } from "./refusals.ts";
import { untranslated } from "#core/language/catalog.ts";

export async function readNewPassphrase({ backup }: Config, flags: OutputFlags): Promise<string> {
  if (backup.passphrase !== null) {
    await assertBackupPassphrase(backup);
    return backup.passphrase;
  }
  assertTerminal(flags);
  const first = await askPassphrase("Passphrase for the keys");
  const problem = await findPassphraseProblem(first);
  if (problem !== null) throw new AppError("invalid_input", untranslated(problem));
  if ((await askPassphrase("Again")) !== first) throw new AppError("invalid_input", refusals.passphrasesDiffer());
  return first;
}

export async function readBackupPassphrase({ backup }: Config, flags: OutputFlags): Promise<string> {
  if (backup.passphrase !== null) return backup.passphrase;
  assertTerminal(flags);
  return askPassphrase("Passphrase of the backup");
}

function assertTerminal({ input }: OutputFlags): void {
  if (input === false || !process.stdin.isTTY) throw new AppError("invalid_input", refusals.passphraseNeeded());
}

async function askPassphrase(message: string): Promise<string> {
  const prompt = await openPrompt();
  const { answer } = await prompt<{ answer: string }>([{ type: "password", name: "answer", message, mask: "*" }]);
  return answer;
}
