/** `setup`: creates the first system administrator on the terminal, instead of in a browser with the one-time link. */
import process from "node:process";
import { Setup } from "#core/sign-in/schema.ts";
import { systemClock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import { createPasswords } from "../sign-in/passwords.ts";
import { createFirstAdmin, hasSystemAdmin } from "../sign-in/setup.ts";
import { readTaskConfig } from "../config.ts";
import { openDatabaseForTask } from "../open-for-task.ts";
import type { AdminOutput, OutputFlags } from "./output.ts";
import { openPrompt } from "./prompt.ts";
import { readPasswordFromStdin } from "./read-stdin.ts";
import { refusals } from "./refusals.ts";
import { untranslated } from "#core/language/catalog.ts";

interface SetupOptions extends OutputFlags {
  username?: string;
  name?: string;
  company: string;
  passwordStdin?: boolean;
}

const Answers = Setup.omit({ token: true });

export async function setupCommand(options: SetupOptions, output: AdminOutput): Promise<number> {
  const config = readTaskConfig();
  const db = await openDatabaseForTask(config);
  try {
    if (await hasSystemAdmin({ db })) {
      throw new AppError("conflict", refusals.administratorExists());
    }
    const admin = parseSetupAnswers({ ...(await promptForMissingAnswers(options)), company: options.company });
    const services = { db, config, clock: systemClock, passwords: createPasswords(config) };
    const user = await createFirstAdmin(services, admin, null);
    output.data(`${user.username} is the system administrator: sign in at the server`, {
      id: user._id,
      username: user.username,
      companyId: user.companyId,
    });
    return 0;
  } finally {
    await db.close();
  }
}

function parseSetupAnswers(answers: unknown) {
  const parsed = Answers.safeParse(answers);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ message }) => message).join("; ");
  throw new AppError("invalid_input", untranslated(problems));
}

/** Prompts for missing options if there is a terminal. */
async function promptForMissingAnswers(options: SetupOptions) {
  const interactive = process.stdin.isTTY === true && process.stderr.isTTY === true && options.input !== false;
  const given = options.passwordStdin ? await readPasswordFromStdin() : undefined;
  const missing = Object.entries({
    "--username": options.username,
    "--name": options.name,
    "--password-stdin": given,
  }).flatMap(([flag, value]) => (value === undefined ? [flag] : []));
  if (missing.length > 0 && !interactive)
    throw new AppError("invalid_input", refusals.missingOptions({ missing: missing.join(", ") }));
  const answered = { username: options.username, name: options.name, password: given };
  if (missing.length === 0) return answered;
  const prompt = await openPrompt();
  const { again, ...answers } = await prompt<Partial<Record<"username" | "name" | "password" | "again", string>>>(
    [
      { type: "input", name: "username", message: "Username", required: true },
      { type: "input", name: "name", message: "Name", required: true },
      { type: "password", name: "password", message: "Password" },
      { type: "password", name: "again", message: "Password once more", when: given === undefined },
    ],
    answered,
  );
  if (given === undefined && again !== answers.password)
    throw new AppError("invalid_input", refusals.passwordsDiffer());
  return answers;
}
