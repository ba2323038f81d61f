/** Declares every command and flag. The code of a command is imported only when it runs. */
import { proposalStates } from "#core/proposals/rules.ts";
import { tokenScopes } from "#core/tokens/scopes.ts";
import { Command, CommanderError, Option } from "commander";
import { exitOnClosedPipe, runCliCommand, type CommandRun as Run, type ProcessParts } from "./run.ts";
import { exit } from "./exit.ts";
import { addGuideToHelp, groupCommands } from "./help/attach.ts";
import { addStatusAndListFilters } from "./list-filters.ts";
import { collectValues, exportFormats, extFlag, parseWholeNumber } from "./option-values.ts";
import { jsonEnvelope } from "./output.ts";
import { declareTextCommands } from "./lint/declare.ts";
import {
  declareFonts,
  declareDoctorAndCompletion,
  declareWorkspace,
  type CommandDeclaration,
} from "./workspace/declare.ts";
import type { GlobalFlags } from "./context.ts";
import { version } from "#core/version.ts";

/** @returns the exit code */
export async function main(args: readonly string[], world: ProcessParts = process): Promise<number> {
  let code: number = exit.done;
  world.stdout.on("error", exitOnClosedPipe);
  const program = buildProgram(args, (result) => (code = result), world);
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exit.done;
    const name = args.find((arg) => program.commands.some((command) => command.name() === arg)) ?? "usage";
    if (args.includes("--json")) world.stdout.write(usageEnvelope(name, error));
    return exit.invalid;
  }
}

function usageEnvelope(name: string, error: CommanderError): string {
  const message = error.message.replace(/^error: /, "");
  return jsonEnvelope(name, false, null, [{ code: "usage", message, hint: "sop --help" }]);
}

/**
 * Builds the tree of all commands, from which help, completion and `docs/cli.md` are made.
 * @param args the arguments of a call. Only the commands that they name get flags and help, because declaring all takes
 * as long as the rest of the start.
 */
export function buildProgram(
  args?: readonly string[],
  done: (code: number) => void = () => {},
  world: ProcessParts = process,
): Command {
  const program = new Command("sop");
  const writing = {
    writeOut: (text: string) => void world.stdout.write(text),
    writeErr: (text: string) => void world.stderr.write(text),
  };
  const actionOf =
    (name: string, load: () => Promise<Run>) =>
    async (...all: unknown[]) => {
      const command = all.pop() as Command;
      const { flags, own } = splitFlags(program, command);
      done(await runCliCommand(name, load, flags, [...all.slice(0, -1), own], world));
    };

  program
    .description("Standard operating procedures on the terminal")
    .version(version, "-V, --version")
    .option("-C <dir>", "work in this folder")
    .option("--config <file>", "use this sop.config.yaml")
    .option("--json", "print one JSON document")
    .option("-q, --quiet", "print only data and errors")
    .option("-v, --verbose", "print more details")
    .option("--no-color", "print without colors")
    .option("--no-input", "never ask")
    .option("-y, --yes", "answer yes to every question")
    .option("--server <url>", "the server (default: SOP_SERVER, then your sign-in)")
    .option("--profile <name>", "use this sign-in of several")
    .showHelpAfterError("(sop --help lists everything)")
    .configureHelp({ showGlobalOptions: true, subcommandTerm: commandTermOf })
    .configureOutput(writing)
    .exitOverride();
  const add: CommandDeclaration["add"] = (parent, usage, summary, declare) => {
    const name = usage.split(" ")[0] ?? "";
    const command = parent.command(usage).description(summary).showHelpAfterError(`(sop ${name} --help)`);
    if (args?.includes(name) === false) return command;
    addGuideToHelp(command, parent === program ? name : `${parent.name()} ${name}`);
    declare?.(command);
    return command;
  };

  add(program, "login", "sign in and save an access token", (command) =>
    command
      .option("--token-stdin", "read a token from stdin instead of asking")
      .option("--default", "with --profile: make it the default sign-in")
      .action(actionOf("login", async () => (await import("./commands/login.ts")).login)),
  );
  add(program, "logout", "sign out and revoke the token").action(
    actionOf("logout", async () => (await import("./commands/logout.ts")).logout),
  );
  add(program, "whoami", "show who is signed in, and where").action(
    actionOf("whoami", async () => (await import("./commands/whoami.ts")).whoami),
  );

  add(program, "token", "manage personal access tokens, for CI", (token) => {
    add(token, "create [name]", "create a token (asks for your password)", (command) =>
      command
        .option("--scope <scope>", `what it can do, repeatable: ${tokenScopes.join(", ")}`, collectValues)
        .option("--expires <days>", "days until it expires", parseWholeNumber, 90)
        .action(actionOf("token.create", async () => (await import("./commands/token.ts")).createToken)),
    );
    add(token, "list", "list your tokens").action(
      actionOf("token.list", async () => (await import("./commands/token.ts")).listTokens),
    );
    add(token, "revoke <id>", "revoke a token").action(
      actionOf("token.revoke", async () => (await import("./commands/token.ts")).revokeToken),
    );
  });

  add(
    program,
    "import [src...]",
    "import Markdown, Word, HTML, folders, git, and zips of Notion, Confluence or Google Docs as drafts",
    (command) =>
      command
        .option("-n, --dry-run", "show the plan, change nothing")
        .option("--detailed-exitcode", "with --dry-run: 10 if there is something to do, 2 or 6 on trouble")
        .option("--plan-out <file>", "save the plan to a file, change nothing")
        .option("--apply <file>", "run a saved plan; exit 2 if files or SOPs changed since")
        .option("--resume", "resume an interrupted import")
        .addOption(new Option("--from <tool>", "what the sources come from").choices(importLayouts).default("auto"))
        .option(...extFlag)
        .addOption(
          new Option("--split <where>", "make several SOPs from one file, cut at its headings").choices(["heading"]),
        )
        .option("--limit <n>", "change at most this many", parseWholeNumber)
        .option("--fail-fast", "stop at the first refused or conflicting document")
        .option("--category <name>", "the category of documents without one")
        .option("--create-categories", "create categories that don't exist")
        .addOption(
          new Option("--category-from <what>", "keep the two outer folders as category and category inside it").choices(
            ["folders"],
          ),
        )
        .addOption(
          new Option("--tags-from <what>", "keep the folders that don't become categories as tags").choices([
            "folders",
          ]),
        )
        .addOption(
          new Option("--on-conflict <what>", "what to do if a document changed here and on the server")
            .choices(["skip", "theirs", "copy"])
            .default("skip"),
        )
        .option("--to-dir <dir>", "write the converted files to a folder, without a server")
        .action(actionOf("import", async () => (await import("./commands/import.ts")).importSops)),
  );
  add(program, "export [ids...]", "export SOPs as Markdown, PDF, Word, HTML, a site, JSON or a bundle", (command) =>
    addStatusAndListFilters(command)
      .addOption(new Option("--format <format>", "what to write").choices(exportFormats).default("md"))
      .option("-o, --output <path>", "folder or file; - writes to stdout (default for one Markdown file)")
      .option("--from-dir <dir>", "export the files of a folder as drafts, without a server")
      .addOption(
        new Option(
          "--drafts",
          "the newest version of each SOP, drafts included (default: published versions)",
        ).conflicts(["rev", "status"]),
      )
      .option("--rev <version>", "this version of the named SOP", parseWholeNumber)
      .option("--title <text>", "with a site: its title (default: the company's name)")
      .option("--no-control", "with a site: a manual, without numbers, status and signatures")
      .option("--fonts <dir>", "with PDFs of files: a folder with fonts of other scripts")
      .addOption(new Option("--standard <standard>", "PDF/A for archives").choices(["a-2b"]))
      .option(
        "--force",
        "write into a folder that isn't empty: overwrite files, remove those that only an earlier export wrote",
      )
      .action(actionOf("export", async () => (await import("./commands/export.ts")).exportSops)),
  );

  declareFonts({ program, add, action: actionOf });

  add(
    program,
    "search <words...>",
    "find SOPs and steps by words, best match first; exit 1 if there are none",
    (command) =>
      addStatusAndListFilters(command)
        .option("--limit <n>", "at most this many, up to 50 (default: 10)", parseWholeNumber)
        .action(actionOf("search", async () => (await import("./commands/search.ts")).searchSops)),
  );

  add(program, "submit <sop>", "submit a draft for approval, by id or number", (command) =>
    command
      .requiredOption("--approver <user...>", "the approvers: names or ids")
      .option("--note <text>", "a message for them")
      .action(actionOf("submit", async () => (await import("./commands/approvals.ts")).submitForApproval)),
  );
  for (const verb of ["approve", "reject"] as const) {
    add(program, `${verb} <sop>`, `${verb} an SOP that waits for you, by SOP id, SOP number or request id`, (command) =>
      command
        .option("--comment <text>", verb === "reject" ? "the reason, shown to the author" : "the reason")
        .option("--if-match <version>", "only if the SOP is at this version", parseWholeNumber)
        .action(actionOf(verb, async () => (await import("./commands/approvals.ts"))[verb])),
    );
  }

  add(program, "proposals", "list what was pushed by git and waits for a decision, and what became of it", (command) =>
    command
      .option("--mine", "only those that you pushed")
      .option("--incoming", "only those that others pushed and you can decide about")
      .addOption(new Option("--state <state>", "only these").choices([...proposalStates, "all"]).default("open"))
      .option("--limit <n>", "at most this many, newest first", parseWholeNumber, 50)
      .action(actionOf("proposals", async () => (await import("./commands/proposals.ts")).listProposals)),
  );

  declareWorkspace({ program, add, action: actionOf });

  declareTextCommands({ program, add, action: actionOf });

  add(program, "verify <path>", "verify a clone, a bundle, a PDF or an exported audit log offline", (command) =>
    command
      .option("--expect <commit>", "clone or PDF: a commit noted before must be part of it")
      .option("--approvals", "clone: list who approved which version")
      .option("--clone <path>", "PDF: its version must be in this clone")
      .option(
        "--public-key <pem>",
        "log: trusted key, repeatable; without it, the file's own keys are used",
        collectValues,
      )
      .option("--checkpoints <file>", "log: checkpoints kept elsewhere, the server's audit-checkpoints.ndjson")
      .action(actionOf("verify", async () => (await import("./commands/verify.ts")).verifyPath)),
  );

  add(program, "api [call]", "call the API, such as sops.list; without a name, list all calls", (command) =>
    command
      .option("--param <name=value>", "part of the path", collectValues)
      .option("--query <name=value>", "part of the query", collectValues)
      .option("--body <json>", "the body: JSON, @file, or - for stdin")
      .option("--if-match <version>", "only if the document is still at this version", parseWholeNumber)
      .action(actionOf("api", async () => (await import("./commands/api.ts")).callApi)),
  );
  const admin = add(
    program,
    "admin <task> [args...]",
    "run an operator task on the server's machine: setup, demo, backup, restore, status, rebuild, redact, reset-password, unlock, rotate-keys, verify",
  )
    .allowUnknownOption()
    // Each operator task prints its own help.
    .helpOption(false);
  const runTask = actionOf("admin", async () => (await import("./commands/admin.ts")).runAdminTask);
  admin.action((...all: unknown[]) => (all[0] === "--help" || all[0] === "-h" ? admin.help() : runTask(...all)));
  declareDoctorAndCompletion({ program, add, action: actionOf }, buildProgram);
  groupCommands(program);
  return program;
}

/**
 * Returns a command's name and arguments for the list of commands. Flags are left out, because all commands have some.
 */
function commandTermOf(command: Command): string {
  const args = command.registeredArguments.map((arg) => {
    const name = `${arg.name()}${arg.variadic ? "..." : ""}`;
    return arg.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...args].join(" ");
}

const importLayouts = ["auto", "markdown", "docx", "html", "notion", "confluence", "gdocs", "git"];

/** Splits flags into the program's global ones, allowed before and after the command's name, and the command's own. */
function splitFlags(program: Command, command: Command): { flags: GlobalFlags; own: Record<string, unknown> } {
  return { flags: program.opts<GlobalFlags>(), own: command.opts() };
}
