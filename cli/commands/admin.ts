/** Operators' tasks live in the server's own program: it runs as a child with this terminal. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { invalid } from "../exit.ts";
import type { Context, Result } from "../context.ts";

const tasks = ["setup", "demo", "rebuild", "redact", "reset-password", "rotate-keys", "verify"];

export async function admin(context: Context, task: string, args: readonly string[]): Promise<Result> {
  if (!tasks.includes(task)) throw invalid("no_task", `${task} is not a task`, { hint: `tasks: ${tasks.join(", ")}` });
  const program = join(packageFolder(), "dist", "admin.js");
  if (!existsSync(program)) {
    throw invalid("not_built", `${program} is missing`, { hint: "build it with `npm run build`", path: program });
  }
  return {
    exit: await runChild([program, task, ...args, ...passedFlags(context)], context),
    data: null,
    streamed: true,
  };
}

/** Flags that this program took and the other one knows too. */
function passedFlags({ flags }: Context): string[] {
  const passed = [
    flags.json && "--json",
    flags.quiet && "--quiet",
    flags.verbose && "--verbose",
    flags.yes && "--yes",
    flags.input === false && "--no-input",
  ];
  return passed.filter((flag) => typeof flag === "string");
}

/** The same place whether this runs from the sources or from dist. */
function packageFolder(): string {
  let at = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(at, "package.json")) && at !== dirname(at)) at = dirname(at);
  return at;
}

/** ^C reaches the child from the terminal; what it then answers counts. */
function runChild(args: readonly string[], { env, signal }: Context): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: "inherit", env });
    signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
    child.once("error", reject);
    child.once("exit", (code, by) => resolve(code ?? 128 + (by === null ? 0 : constants.signals[by])));
  });
}
