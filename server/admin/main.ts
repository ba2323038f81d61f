/** Operator commands, beside the data: `sop admin …` starts this program as a child with its terminal. */
import process from "node:process";
import { Command, CommanderError } from "commander";
import { keepPrivate } from "../data-folder/modes.ts";
import { startFailure } from "../start-failure.ts";
import { createOutput, type OutputFlags } from "./output.ts";
import type { Run } from "./task.ts";

const usage = 2;
const defect = { exit: 70, code: "bug", message: "this is a defect of this program: please report it" };
const interrupted = 130;

keepPrivate();

const program = new Command("sop admin");

program
  .description("For operators: works on DATA_DIR or MONGODB_URI, beside the server")
  .showHelpAfterError("(sop admin --help lists everything)")
  .exitOverride();

add("setup", "create the first system administrator", async () => (await import("./setup.ts")).setup)
  .option("--username <name>", "how the administrator signs in")
  .option("--name <name>", "how the administrator is called")
  .option("--company <name>", "what the company is called", "System")
  .option("--password-stdin", "read the password from standard input");

add("demo", "make an example company to look around in", async () => (await import("./demo.ts")).demo)
  .option("--data-dir <dir>", "make it in this folder and keep it (default: a folder that goes when the demo ends)")
  .option("--serve", "serve it (always, when the folder goes at the end)");

add("rebuild", "make the repositories anew from the ledger", async () => (await import("./rebuild.ts")).rebuild).option(
  "--company <slug>",
  "this company's alone",
);

add(
  "reset-password",
  "a link that sets a new password, once; or set it from standard input",
  async () => (await import("./reset-password.ts")).resetPassword,
)
  .argument("<username>")
  .option("--password-stdin", "read the new password from standard input");

add(
  "rotate-keys",
  "a new first key, and every stored AI key sealed with it",
  async () => (await import("./rotate-keys.ts")).rotateKeys,
).option("--lost", "begin again with new keys, because those of before are lost for good");

add(
  "redact",
  "erase the personal data of audit rows; the log tells of it",
  async () => (await import("./redact.ts")).redact,
)
  .requiredOption("--company <slug>", "whose log")
  .option("--rows <numbers>", "rows as the log numbers them: 12,15-20")
  .option("--user <username>", "the rows by and about this user")
  .requiredOption("--reason <text>", "why; stands in the log");

add(
  "verify",
  "check everything that is stored; with options, parts of it",
  async () => (await import("./verify.ts")).verify,
)
  .option("--repo", "the repositories against the ledger")
  .option("--audit", "the audit log against its hashes and signatures")
  .option("--assets", "the stored files against their hashes")
  .option("--company <slug>", "with --repo and --audit: this company's alone")
  .option("--expect <commit>", "a commit noted down earlier, which must be one of the company's")
  .option("--checkpoints <file>", "with --audit: checkpoints kept elsewhere (default: those in DATA_DIR)");

let code = 0;
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // help and version are no mistakes
  code = error.exitCode === 0 ? 0 : usage;
}
process.exitCode = code;

/** A task with the flags that `sop` hands to all of them. */
function add<Options extends OutputFlags>(name: string, summary: string, load: () => Promise<Run<Options>>): Command {
  return program
    .command(name)
    .description(summary)
    .option("--json", "print one JSON document")
    .option("-q, --quiet", "say nothing but data and errors")
    .option("-v, --verbose", "say more")
    .option("--no-input", "never ask")
    .option("-y, --yes", "answer every confirmation with yes")
    .action(async (...given: unknown[]) => {
      const command = given.at(-1) as Command;
      const named = command.registeredArguments.map((argument, n) => [argument.name(), command.processedArgs[n]]);
      code = await run(name, await load(), { ...command.opts<Options>(), ...Object.fromEntries(named) });
    });
}

async function run<Options extends OutputFlags>(name: string, task: Run<Options>, options: Options): Promise<number> {
  const output = createOutput(name, options);
  try {
    return await task(options, output);
  } catch (error) {
    if (error instanceof Error && error.name === "ExitPromptError") return interrupted;
    const failure = startFailure(error);
    if (failure === null || options.verbose) console.error(error);
    const { exit, code, message } = failure ?? defect;
    output.failed(code, message);
    return exit;
  }
}
