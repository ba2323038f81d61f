/** The commands of a writer's workspace and their flags. */
import { Argument, Option, type Command } from "commander";
import type { Command as Run } from "../run.ts";
import { shells } from "../completion/scripts.ts";
import { collect, languageTag, seconds, wholeNumber } from "../option-values.ts";

export interface Declaring {
  program: Command;
  add(parent: Command, usage: string, summary: string): Command;
  action(name: string, load: () => Promise<Run>): (...all: unknown[]) => Promise<void>;
}

export function declareWorkspace(declaring: Declaring): void {
  declareDocuments(declaring);
  declareSync(declaring);
  declareHistory(declaring);
}

function declareDocuments({ program, add, action }: Declaring): void {
  add(program, "init [dir]", "make a folder a writer's workspace")
    .addOption(
      new Option("--ci <service>", "write the files that check and import SOPs there").choices(["github", "gitlab"]),
    )
    .option("--hooks", "check SOPs before each git commit")
    .option("--git", "make it a git repository")
    .option("--force", "write over files that are there")
    .action(action("init", async () => (await import("../commands/init.ts")).init));
  add(program, "new [title]", "a new document from a template")
    .option("--template <name>", "of the workspace's templates/ or of the library", "standard")
    .option("--category <name>", "the category, which is its folder")
    .option("--owner <user>", "who answers for it; else who is signed in")
    .option("--open", "open it in $VISUAL or $EDITOR")
    .option("--list-templates", "the templates there are")
    .action(action("new", async () => (await import("../commands/new.ts")).newDocument));
  add(
    program,
    "generate <prompt>",
    "a draft from a sentence: by AI with OPENAI_API_KEY or with --save the server's, else from the best template; - is stdin",
  )
    .option("--template <name>", "from this template; no AI is asked")
    .option("--no-ai", "from the best template, also where a key is set")
    .option("--lang <tag>", "the language to write in (en; by a server's AI, that of its SOPs)", languageTag)
    .option("--category <name>", "the category, which is its folder")
    .option("--owner <user>", "who answers for it; else who is signed in")
    .option("-o, --output <file>", "write it there; - is stdout. Else into the workspace, outside of one to stdout")
    .option("--save", "to the server, as a draft")
    .option("--timeout <seconds>", "how long the AI may take", seconds, 120)
    .action(action("generate", async () => (await import("../commands/generate.ts")).generate));
  add(
    program,
    "improve <file>",
    "proposals for a document, as a diff: by AI with OPENAI_API_KEY or through the server, or by rules; - is stdin",
  )
    .addOption(
      new Option("--kind <kind>", "what to look for (improve); formatting needs no AI").choices([
        "improve",
        "clarity",
        "detail",
        "formatting",
      ]),
    )
    .option("--rules", "no AI: canonical form, safe fixes, and what the rules still find")
    .option("--write", "write the file; of stdin, print the whole text")
    .option("--detailed-exitcode", "10 when there are proposals that are not written")
    .option("--timeout <seconds>", "how long the AI may take; a server keeps its own time", seconds, 120)
    .action(action("improve", async () => (await import("../commands/improve.ts")).improve));
  add(program, "serve", "preview the workspace in a browser, live")
    .option("--port <number>", "where it listens on this machine; 0 takes a free one", wholeNumber, 4321)
    .option("--open", "open the browser")
    .action(action("serve", async () => (await import("../commands/serve.ts")).serve));
}

function declareSync({ program, add, action }: Declaring): void {
  add(program, "pull", "server → workspace; what both sides changed is merged or shown, never written over")
    .option("-n, --dry-run", "show the plan, change nothing")
    .option("--detailed-exitcode", "with --dry-run: 10 when there is something to do, 6 on conflicts")
    .option("--only <what>", "only these, once for each: a path, folder, glob, number or id", collect)
    .addOption(
      new Option(
        "--on-conflict <what>",
        "where both sides changed the same words: leave a merge to decide, or take a side",
      )
        .choices(["merge", "mine", "theirs"])
        .default("merge"),
    )
    .option("--prune", "remove unchanged files of SOPs that are gone on the server")
    .action(action("pull", async () => (await import("../commands/pull.ts")).pull));
  add(program, "push", "workspace → server: what changed here becomes the next version there")
    .option("-n, --dry-run", "show the plan, change nothing")
    .option("--detailed-exitcode", "with --dry-run: 10 when there is something to do, 2 or 6 on trouble")
    .option("--only <what>", "only these, once for each: a path, folder, glob, number or id", collect)
    .option("--note <text>", "what changed, for the history of each version")
    .option("--submit", "ask for the approval of what was pushed")
    .option("--approver <user...>", "with --submit: who decides, names or ids")
    .action(action("push", async () => (await import("../commands/push.ts")).push));
  add(program, "status", "what changed in the workspace since the last pull or push")
    .option("-s, --short", "two letters and a path a line: what happened here, what on the server")
    .option("--remote", "ask the server too")
    .action(action("status", async () => (await import("../commands/status.ts")).status));
}

function declareHistory({ program, add, action }: Declaring): void {
  add(
    program,
    "diff <sop|file> [a] [b]",
    "what differs between two versions, or between a file and what it was made from",
  )
    .option("--word", "word by word")
    .option("--stat", "how much, not what")
    .option("--html", "one HTML page, as readers see it")
    .option("--exit-code", "exit 1 when there is a difference")
    .action(action("diff", async () => (await import("../commands/diff.ts")).diff));
  add(program, "log <sop|file>", "the versions of an SOP, or the commits of a file, newest first")
    .option("-n, --number <count>", "at most so many", wholeNumber)
    .option("--since <day>", "none older than this day: 2026-11-30")
    .option("--approvals", "who was asked for approval of each version, and what they said")
    .action(action("log", async () => (await import("../commands/log.ts")).log));
}

export function declareHelp({ program, add, action }: Declaring): void {
  add(program, "doctor", "check this machine, the workspace, the server and the sign-in").action(
    action("doctor", async () => (await import("../commands/doctor.ts")).doctor),
  );
  add(program, "completion", "what a shell needs to complete commands and flags")
    .addArgument(new Argument("<shell>", "your shell").choices([...shells]))
    .action(action("completion", async () => (await import("../commands/completion.ts")).completionOf(program)));
}
