/** Every command and flag on one screen; what a command does is imported when it runs. */
import { tokenScopes } from "#core/tokens/scopes.ts";
import { Command, CommanderError, Option } from "commander";
import { leaveOnClosedPipe, runCommand, type Command as Run, type World } from "./run.ts";
import { exit } from "./exit.ts";
import { attachGuides } from "./help/attach.ts";
import { collect, wholeNumber } from "./option-values.ts";
import { envelope } from "./output.ts";
import { declareText } from "./lint/declare.ts";
import { declareHelp, declareWorkspace } from "./workspace/declare.ts";
import type { GlobalFlags } from "./context.ts";
import { version } from "./version.ts";

/** @returns the exit code */
export async function main(args: readonly string[], world: World = process): Promise<number> {
  let code: number = exit.done;
  world.stdout.on("error", leaveOnClosedPipe);
  const program = buildProgram((result) => (code = result), world);
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
  return envelope(name, false, null, [{ code: "usage", message, hint: "sop --help" }]);
}

/** The tree of all commands; help, completion and `docs/cli.md` are made from it. */
export function buildProgram(done: (code: number) => void = () => {}, world: World = process): Command {
  const program = new Command("sop");
  const writing = {
    writeOut: (text: string) => void world.stdout.write(text),
    writeErr: (text: string) => void world.stderr.write(text),
  };
  const action =
    (name: string, load: () => Promise<Run>) =>
    async (...all: unknown[]) => {
      const command = all.pop() as Command;
      const { flags, own } = splitFlags(program, command);
      done(await runCommand(name, load, flags, [...all.slice(0, -1), own], world));
    };

  program
    .description("Standard operating procedures on the terminal")
    .version(version, "-V, --version")
    .option("-C <dir>", "work in this folder")
    .option("--config <file>", "use this sop.config.yaml")
    .option("--json", "print one JSON document")
    .option("-q, --quiet", "print only data and errors")
    .option("-v, --verbose", "say more")
    .option("--no-color", "no colours")
    .option("--no-input", "never ask")
    .option("-y, --yes", "answer yes to every question")
    .option("--server <url>", "the server (SOP_SERVER; else the one signed in to, else http://localhost:3000)")
    .option("--profile <name>", "one of several sign-ins")
    .showHelpAfterError("(sop --help lists everything)")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(writing)
    .exitOverride();
  const add = (parent: Command, usage: string, summary: string) =>
    parent
      .command(usage)
      .description(summary)
      .configureOutput(writing)
      .exitOverride()
      .configureHelp({ showGlobalOptions: true })
      .showHelpAfterError(`(sop ${usage.split(" ")[0]} --help)`);

  add(program, "login", "sign in: makes a token and keeps it")
    .option("--token-stdin", "read a token from stdin instead of asking")
    .action(action("login", async () => (await import("./commands/login.ts")).login));
  add(program, "logout", "forget the token and end it on the server").action(
    action("logout", async () => (await import("./commands/logout.ts")).logout),
  );
  add(program, "whoami", "who is signed in, and where").action(
    action("whoami", async () => (await import("./commands/whoami.ts")).whoami),
  );

  const token = add(program, "token", "personal access tokens, for CI");
  add(token, "create [name]", "make a token (asks for the password: a token never makes a token)")
    .option("--scope <scope>", `what it may do, once for each: ${tokenScopes.join(", ")}`, collect)
    .option("--expires <days>", "days until it ends", wholeNumber, 90)
    .action(action("token.create", async () => (await import("./commands/token.ts")).createToken));
  add(token, "list", "your tokens").action(
    action("token.list", async () => (await import("./commands/token.ts")).listTokens),
  );
  add(token, "revoke <id>", "end a token at once").action(
    action("token.revoke", async () => (await import("./commands/token.ts")).revokeToken),
  );

  add(
    program,
    "import [src...]",
    "Markdown, Word, HTML, zips of Notion, Confluence and Google Docs, folders, git → drafts",
  )
    .option("-n, --dry-run", "show the plan, change nothing")
    .option("--detailed-exitcode", "with --dry-run: 10 when there is something to do, 2 or 6 on trouble")
    .option("--plan-out <file>", "show the plan and keep it in a file, change nothing")
    .option("--apply <file>", "carry out such a plan; exit 2 when files or SOPs changed since")
    .option("--resume", "go on with the import that was broken off here")
    .addOption(new Option("--from <tool>", "what the sources come from").choices(importLayouts).default("auto"))
    .option("--limit <n>", "create or change at most so many", wholeNumber)
    .option("--fail-fast", "stop at the first document that is refused or in conflict")
    .option("--category <name>", "category of documents that name none")
    .option("--create-categories", "create categories that don't exist")
    .addOption(
      new Option("--on-conflict <what>", "when a document changed here and on the server")
        .choices(["skip", "theirs", "copy"])
        .default("skip"),
    )
    .option("--to-dir <dir>", "write the converted files into a folder; no server")
    .action(action("import", async () => (await import("./commands/import.ts")).importSops));
  add(program, "export [ids...]", "SOPs as files: Markdown, PDF, Word, HTML, a site, JSON, a bundle")
    .addOption(
      new Option("--format <format>", "what to write")
        .choices(["md", "html", "site", "pdf", "docx", "json", "bundle"])
        .default("md"),
    )
    .option("-o, --output <path>", "folder or file, - for stdout; one Markdown file goes to stdout without it")
    .option("--from-dir <dir>", "from the files of a folder, as drafts; no server")
    .option("--rev <version>", "this version of the one SOP that is named", wholeNumber)
    .addOption(new Option("--status <status>", "only these").choices(statuses))
    .addOption(new Option("--standard <standard>", "PDF/A for archives").choices(["a-2b"]))
    .option("--force", "write into a folder that is not empty, over files that exist")
    .action(action("export", async () => (await import("./commands/export.ts")).exportSops));

  add(program, "search <words...>", "SOPs that have these words, best first, with the step; exit 1 when there are none")
    .option("--limit <n>", "how many, 50 at most (10)", wholeNumber)
    .addOption(new Option("--status <status>", "only these").choices(statuses))
    .action(action("search", async () => (await import("./commands/search.ts")).search));

  add(program, "submit <sop>", "ask for the approval of a draft, by id or number")
    .requiredOption("--approver <user...>", "who decides: names or ids")
    .option("--note <text>", "what to tell them")
    .action(action("submit", async () => (await import("./commands/approvals.ts")).submit));
  for (const verb of ["approve", "reject"] as const) {
    add(
      program,
      `${verb} <sop>`,
      `${verb} what waits for you, by the id or number of the SOP, or the id of the request`,
    )
      .option("--comment <text>", verb === "reject" ? "why: whoever wrote it works by this" : "why")
      .option("--if-match <version>", "refuse when the SOP is not at this version", wholeNumber)
      .action(action(verb, async () => (await import("./commands/approvals.ts"))[verb]));
  }

  declareWorkspace({ program, add, action });

  declareText({ program, add, action });

  add(program, "verify <file>", "prove an exported audit log, offline")
    .option("--public-key <pem>", "a key to trust, once for each: the file's own are believed without it", collect)
    .option("--checkpoints <file>", "checkpoints kept elsewhere: the server's audit-checkpoints.ndjson")
    .action(action("verify", async () => (await import("./commands/verify.ts")).verifyFile));

  add(program, "api [call]", "any call of the server, such as sops.list; without a name: the list")
    .option("--param <name=value>", "part of the path", collect)
    .option("--query <name=value>", "part of the query", collect)
    .option("--body <json>", "the body: JSON, @file, or - for stdin")
    .option("--if-match <version>", "refuse when the document is no longer at this version", wholeNumber)
    .action(action("api", async () => (await import("./commands/api.ts")).api));
  const admin = add(
    program,
    "admin <task> [args...]",
    "for operators, beside the data: setup, demo, rebuild, redact, reset-password, rotate-keys, verify",
  )
    .allowUnknownOption()
    // each task explains itself
    .helpOption(false);
  const runTask = action("admin", async () => (await import("./commands/admin.ts")).admin);
  admin.action((...all: unknown[]) => (all[0] === "--help" || all[0] === "-h" ? admin.help() : runTask(...all)));
  declareHelp({ program, add, action });
  attachGuides(program);
  return program;
}

const importLayouts = ["auto", "markdown", "docx", "html", "notion", "confluence", "gdocs", "git"];
const statuses = ["draft", "under_review", "published", "archived"];

/** Flags of the program are taken before and after the command's name; the rest are the command's own. */
function splitFlags(program: Command, command: Command): { flags: GlobalFlags; own: Record<string, unknown> } {
  return { flags: program.opts<GlobalFlags>(), own: command.opts() };
}
