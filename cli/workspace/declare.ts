/** Declares the commands of a workspace and their flags. */
import { Argument, Option, type Command } from "commander";
import type { CommandRun as Run } from "../run.ts";
import { addListFilters } from "../list-filters.ts";
import { collectValues, extFlag, parseLanguageTag, parseSeconds, shells, parseWholeNumber } from "../option-values.ts";

export interface CommandDeclaration {
  program: Command;
  /**
   * @param declare adds the flags and subcommands; called only if the arguments name the command, or for the tree of
   * all commands
   */
  add(parent: Command, usage: string, summary: string, declare?: (command: Command) => unknown): Command;
  action(name: string, load: () => Promise<Run>): (...all: unknown[]) => Promise<void>;
}

export function declareWorkspace(declaring: CommandDeclaration): void {
  declareDocuments(declaring);
  declareSync(declaring);
  declareHistory(declaring);
}

function declareDocuments({ program, add, action }: CommandDeclaration): void {
  add(program, "init [dir]", "set up a workspace in a folder", (command) =>
    command
      .addOption(
        new Option("--ci <service>", "write the CI files that check and import SOPs").choices(["github", "gitlab"]),
      )
      .option("--hooks", "check SOPs before each git commit")
      .option("--git", "create a git repository")
      .option("--force", "overwrite existing files")
      .action(action("init", async () => (await import("../commands/init.ts")).initWorkspace)),
  );
  add(program, "new [title]", "create a document from a template", (command) =>
    command
      .option("--template <name>", "a template of the workspace's templates/ or the library", "standard")
      .option("--category <name>", "the category, which is its folder")
      .option("--owner <user>", "the owner; default: you")
      .option("--open", "open it in $VISUAL or $EDITOR")
      .option("--list-templates", "list templates")
      .action(action("new", async () => (await import("../commands/new.ts")).newDocument)),
  );
  add(
    program,
    "generate <prompt>",
    "draft an SOP from a sentence, with AI or from the best template; - reads stdin",
    (command) =>
      command
        .option("--template <name>", "use this template, without AI")
        .option("--no-ai", "use the best template, without AI")
        .option("--lang <tag>", "the language (default: en; on a server, the language of its SOPs)", parseLanguageTag)
        .option("--category <name>", "the category, which is its folder")
        .option("--owner <user>", "the owner; default: you")
        .option("-o, --output <file>", "write to this file; - writes to stdout (default: the workspace, else stdout)")
        .option("--save", "save it on the server as a draft")
        .option("--timeout <seconds>", "time limit for the AI", parseSeconds, 120)
        .action(action("generate", async () => (await import("../commands/generate.ts")).generateDocument)),
  );
  add(program, "improve <file>", "propose changes as a diff, with AI or by rules; - reads stdin", (command) =>
    command
      .addOption(
        new Option("--kind <kind>", "what to improve (default: improve); formatting needs no AI").choices([
          "improve",
          "clarity",
          "detail",
          "formatting",
        ]),
      )
      .option("--marked", "also take proposals that change a figure, a duty, a warning or an order")
      .option("--rules", "without AI: standard format, safe fixes and the remaining issues")
      .option("--write", "write the file; for stdin, print the whole text")
      .option("--detailed-exitcode", "10 if there are proposed changes that aren't written")
      .option("--timeout <seconds>", "time limit for the AI; a server has its own", parseSeconds, 120)
      .action(action("improve", async () => (await import("../commands/improve.ts")).improveDocument)),
  );
  add(program, "serve", "preview the workspace in a browser", (command) =>
    command
      .option("--port <number>", "the local port; 0 picks a free one", parseWholeNumber, 4321)
      .option("--open", "open the browser")
      .action(action("serve", async () => (await import("../commands/serve.ts")).servePreview)),
  );
}

function declareSync({ program, add, action }: CommandDeclaration): void {
  add(program, "pull", "get changes from the server and merge them; nothing is overwritten", (command) =>
    addListFilters(command)
      .option("-n, --dry-run", "show the plan, change nothing")
      .option("--detailed-exitcode", "with --dry-run: 10 if there is something to do, 6 on conflicts")
      .option("--only <what>", "only these, repeatable: a path, folder, glob, number or id", collectValues)
      .addOption(
        new Option("--on-conflict <what>", "if both sides changed the same words: write a merge file, or take one side")
          .choices(["merge", "mine", "theirs"])
          .default("merge"),
      )
      .option("--prune", "remove unchanged files of SOPs deleted on the server")
      .action(action("pull", async () => (await import("../commands/pull.ts")).pullWorkspace)),
  );
  add(program, "push [file...]", "send your changes, or only these files, to the server as drafts", (command) =>
    command
      .option("-n, --dry-run", "show the plan, change nothing")
      .option("--detailed-exitcode", "with --dry-run: 10 if there is something to do, 2 or 6 on trouble")
      .option("--only <what>", "only these, repeatable: a path, folder, glob, number or id", collectValues)
      .option(...extFlag)
      .option("--note <text>", "the change note of each new version")
      .option("--submit", "submit the pushed documents for approval")
      .option("--approver <user...>", "with --submit: the approvers, names or ids")
      .action(action("push", async () => (await import("../commands/push.ts")).pushWorkspace)),
  );
  add(program, "status", "show what changed since the last pull or push", (command) =>
    command
      .option("-s, --short", "one line per file: local state, server state, path")
      .option("--remote", "also compare with the server")
      .action(action("status", async () => (await import("../commands/status.ts")).showStatus)),
  );
}

function declareHistory({ program, add, action }: CommandDeclaration): void {
  add(program, "diff <sop|file> [a] [b]", "compare two versions, or a file with its base version", (command) =>
    command
      .option("--word", "compare word by word")
      .option("--stat", "show totals only")
      .option("--html", "write one HTML page, as readers see it")
      .option("--exit-code", "exit 1 if there is a difference")
      .action(action("diff", async () => (await import("../commands/diff.ts")).showDiff)),
  );
  add(program, "log <sop|file>", "list the versions of an SOP or the commits of a file, newest first", (command) =>
    command
      .option("-n, --number <count>", "at most this many", parseWholeNumber)
      .option("--since <day>", "only from this day on: 2026-11-30")
      .option("--approvals", "show the approvers of each version and their answers")
      .action(action("log", async () => (await import("../commands/log.ts")).showLog)),
  );
}

export function declareFonts({ program, add, action }: CommandDeclaration): void {
  add(program, "fonts", "fonts of PDFs for Chinese, Japanese, Korean, Thai and others", (fonts) => {
    const where = ["--fonts <dir>", "the folder (default: FONTS_DIR, then DATA_DIR/fonts, then yours)"] as const;
    add(fonts, "list", "list the sets of fonts and which are added", (command) =>
      command
        .option(...where)
        .action(action("fonts.list", async () => (await import("../commands/fonts.ts")).listFonts)),
    );
    add(fonts, "add <set...>", "fetch sets of fonts by npm", (command) =>
      command.option(...where).action(action("fonts.add", async () => (await import("../commands/fonts.ts")).addFonts)),
    );
  });
}

/** @param everything makes the tree with the flags of all commands */
export function declareDoctorAndCompletion(
  { program, add, action }: CommandDeclaration,
  everything: () => Command,
): void {
  add(program, "doctor", "check this machine, the workspace, the server and the sign-in").action(
    action("doctor", async () => (await import("../commands/doctor.ts")).runDoctor),
  );
  add(program, "completion", "print the completion script for a shell")
    .addArgument(new Argument("<shell>", "your shell").choices([...shells]))
    .action(
      action("completion", async () =>
        (await import("../commands/completion.ts")).createCompletionAction(everything()),
      ),
    );
}
