/** The commands of a writer's workspace and their flags. */
import { Option, type Command } from "commander";
import type { Command as Run } from "../run.ts";
import { collect } from "../option-values.ts";

export interface Declaring {
  program: Command;
  add(parent: Command, usage: string, summary: string): Command;
  action(name: string, load: () => Promise<Run>): (...all: unknown[]) => Promise<void>;
}

export function declareSync({ program, add, action }: Declaring): void {
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
