/** Runs operators' tasks, such as a backup, in the server's program: a child process that uses this terminal. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { invalidInputError } from "../exit.ts";
import { packageFolder } from "../package-folder.ts";
import type { CommandContext, CommandResult, GlobalFlags } from "../context.ts";

export const adminTasks = [
  "setup",
  "demo",
  "backup",
  "restore",
  "status",
  "rebuild",
  "redact",
  "reset-password",
  "unlock",
  "rotate-keys",
  "verify",
];

export async function runAdminTask(
  context: CommandContext,
  task: string,
  args: readonly string[],
): Promise<CommandResult> {
  if (!adminTasks.includes(task))
    throw invalidInputError("no_task", `${task} is not a task`, { hint: `tasks: ${adminTasks.join(", ")}` });
  const folder = packageFolder();
  const program = join(folder, "dist", "server", "admin.js");
  if (!existsSync(program)) {
    throw existsSync(join(folder, "server"))
      ? invalidInputError("not_built", `${program} is missing`, {
          hint: "build it with `npm run build`",
          path: program,
        })
      : invalidInputError("no_server", `sop admin ${task} needs the server's program`, {
          hint: "run it on the server's machine",
        });
  }
  return {
    exit: await runServerProgram([program, task, ...args, ...serverProgramFlags(context.flags)], context),
    data: null,
    streamed: true,
  };
}

/** Returns the global flags of this call that a task can also have. A task refuses a flag that it doesn't have. */
export function serverProgramFlags(flags: GlobalFlags): string[] {
  const passed = [
    flags.json && "--json",
    flags.quiet && "--quiet",
    flags.verbose && "--verbose",
    flags.yes && "--yes",
    flags.input === false && "--no-input",
    ...(flags.server === undefined ? [] : ["--server", flags.server]),
  ];
  return passed.filter((flag) => typeof flag === "string");
}

/**
 * Runs the server's program and returns its exit code. ^C isn't forwarded, because the terminal sends it to the child
 * too.
 */
function runServerProgram(args: readonly string[], { env, signal }: CommandContext): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: "inherit", env });
    signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
    child.once("error", reject);
    child.once("exit", (code, by) => resolve(code ?? 128 + (by === null ? 0 : constants.signals[by])));
  });
}
