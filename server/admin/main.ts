/**
 * Runs the operator commands, which work on the data directly. `sop admin …` starts this program as a child process in
 * its terminal.
 */
import path from "node:path";
import process from "node:process";
import { Command, CommanderError } from "commander";
import { setPrivateUmask } from "../data-folder/modes.ts";
import { continueAsOwner } from "../data-folder/owner.ts";
import { explainFailure } from "../start-failure.ts";
import { createAdminOutput, type OutputFlags, type AdminOutput } from "./output.ts";

const usage = 2;
const defect = { exit: 70, code: "bug", message: "this is a bug: please report it" };
const interrupted = 130;

setPrivateUmask();

const program = new Command("sop admin");

program
  .description("For operators: works on DATA_DIR or MONGODB_URI, beside the server")
  .showHelpAfterError("(sop admin --help lists everything)")
  .exitOverride();

addOperatorTask("setup", "create the first system administrator", async () => (await import("./setup.ts")).setupCommand)
  .option("--username <name>", "the administrator's username")
  .option("--name <name>", "the administrator's name")
  .option("--company <name>", "the company's name", "System")
  .option("--password-stdin", "read the password from standard input");

addOperatorTask(
  "demo",
  "create an example company to look around in",
  async () => (await import("./demo.ts")).demoCommand,
)
  .option("--data-dir <dir>", "create it in this folder and keep it (default: a folder deleted when the demo ends)")
  .option("--serve", "start its server (always without --data-dir, and as sopwright-server demo)");

addOperatorTask(
  "backup",
  "write all that is stored to one file, beside the server",
  async () => (await import("./backup.ts")).backupCommand,
)
  .argument("<target>", "the file, or a folder that gets a new one")
  .option("--without-keys", "leave the server's keys out; otherwise BACKUP_PASSPHRASE or a question encrypts them");

addOperatorTask(
  "restore",
  "restore a backup into an empty installation",
  async () => (await import("./restore.ts")).restoreCommand,
)
  .argument("<file>", "the backup")
  .option("--without-keys", "keep the keys that are here")
  .option("--takes-over", "it replaces the lost installation: mirrors go on, and the earlier backups are its own");

addOperatorTask(
  "status",
  "show how the running server is",
  async () => (await import("./status.ts")).statusCommand,
).option("--server <url>", "its address (default: this machine, PORT)");

addOperatorTask(
  "rebuild",
  "rebuild the repositories from the ledger",
  async () => (await import("./rebuild.ts")).rebuildCommand,
).option("--company <slug>", "this company's alone");

addOperatorTask(
  "reset-password",
  "print a one-time link that sets a new password, or read the password from standard input",
  async () => (await import("./reset-password.ts")).resetPasswordCommand,
)
  .argument("<username>")
  .option("--password-stdin", "read the new password from standard input");

addOperatorTask(
  "unlock",
  "end the waits after wrong passwords: of one user, or of all users of one address",
  async () => (await import("./unlock.ts")).unlockCommand,
)
  .argument("[username]")
  .option("--address <ip>", "all users whose requests come from this address")
  .option("--all", "all users");

addOperatorTask(
  "rotate-keys",
  "create a new first key and encrypt every stored AI key with it",
  async () => (await import("./rotate-keys.ts")).rotateKeysCommand,
).option("--lost", "start again with new keys when the old ones are lost for good");

addOperatorTask(
  "redact",
  "erase the personal data of audit rows; the log records it",
  async () => (await import("./redact.ts")).redactCommand,
)
  .requiredOption("--company <slug>", "the company of the log")
  .option("--rows <numbers>", "row numbers of the log: 12,15-20")
  .option("--user <username>", "all rows by and about this user")
  .requiredOption("--reason <text>", "the reason, shown in the log");

addOperatorTask(
  "verify",
  "check everything that is stored; with options, parts of it",
  async () => (await import("./verify.ts")).verifyCommand,
)
  .option("--repo", "the repositories against the ledger")
  .option("--audit", "the audit log against its hashes and signatures")
  .option("--assets", "the stored files against their hashes")
  .option("--backup <file>", "all parts, and whether a backup holds the same")
  .option("--company <slug>", "with --repo and --audit: this company's alone")
  .option("--expect <commit>", "a commit noted down earlier, which must be one of the company's")
  .option("--checkpoints <file>", "with --audit: checkpoints kept elsewhere (default: those in DATA_DIR)");

let code = 0;
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // commander ends `--help` and `--version` with this error too, but with exit code 0
  code = error.exitCode === 0 ? 0 : usage;
}
process.exitCode = code;

/** Adds a command with the flags that `sop` passes to all operator commands. */
function addOperatorTask<Options extends OutputFlags>(
  name: string,
  summary: string,
  load: () => Promise<AdminTask<Options>>,
): Command {
  return program
    .command(name)
    .description(summary)
    .option("--json", "print one JSON document")
    .option("-q, --quiet", "print only data and errors")
    .option("-v, --verbose", "say more")
    .option("--no-input", "never ask")
    .option("-y, --yes", "answer yes to every question")
    .action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const named = command.registeredArguments.map((argument, n) => [argument.name(), command.processedArgs[n]]);
      code = await runOperatorTask(name, await load(), { ...command.opts<Options>(), ...Object.fromEntries(named) });
    });
}

async function runOperatorTask<Options extends OutputFlags>(
  name: string,
  task: AdminTask<Options>,
  options: Options,
): Promise<number> {
  const output = createAdminOutput(name, options);
  try {
    const owner = continueAsOwner(path.resolve(process.env["DATA_DIR"] || "data"));
    if (owner !== null && options.verbose) output.say(`runs as user ${owner}, who owns DATA_DIR`);
    return await task(options, output);
  } catch (error) {
    if (error instanceof Error && error.name === "ExitPromptError") return interrupted;
    const failure = explainFailure(error);
    if (failure === null || options.verbose) console.error(error);
    const { exit, code, message } = failure ?? defect;
    output.failed(code, message);
    return exit;
  }
}

/** Runs an operator command. @returns the exit code */
type AdminTask<Options extends OutputFlags> = (options: Options, output: AdminOutput) => Promise<number>;
