/** Lints again whenever a document or a config changes, until ^C. */
import { once } from "node:events";
import { basename, resolve } from "node:path";
import type { CommandContext, CommandResult } from "../context.ts";
import { CliError, exit, interruptedError } from "../exit.ts";
import { configNames } from "../config/find.ts";

const settleMs = 100;

export async function watchAndLint(
  context: CommandContext,
  paths: readonly string[],
  ext: readonly string[],
  lint: () => Promise<CommandResult>,
): Promise<CommandResult> {
  const { watch } = await import("chokidar");
  const { out, cwd, signal } = context;
  const places = (paths.length === 0 ? ["."] : paths).map((path) => resolve(cwd, path));
  const watcher = watch(places, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => /^(?:\.[^.].*|node_modules)$/.test(basename(path)) && !places.includes(path),
  });
  let wake = Promise.withResolvers<void>();
  watcher.on("all", (event, path) => {
    const name = basename(path);
    const speaks =
      [".md", ".markdown", ...ext].some((ending) => name.toLowerCase().endsWith(ending)) ||
      (configNames as readonly string[]).includes(name);
    if (event === "unlinkDir" || speaks) wake.resolve();
  });
  signal.addEventListener("abort", () => wake.resolve(), { once: true });
  try {
    await once(watcher, "ready");
    for (;;) {
      await lintAndPrint(context, lint);
      if (!signal.aborted) out.note("watching; ^C ends it");
      await wake.promise;
      // Editors save in several steps, so the watch waits until no further change follows.
      if (!signal.aborted) await new Promise((resume) => setTimeout(resume, settleMs));
      if (signal.aborted) throw interruptedError();
      wake = Promise.withResolvers<void>();
      if (process.stdout.isTTY === true) await out.write("\u001b[2J\u001b[3J\u001b[H");
    }
  } finally {
    await watcher.close();
  }
}

/** Lints and prints the result. An error, such as a half-edited config, is printed and doesn't end the watch. */
async function lintAndPrint({ out }: CommandContext, lint: () => Promise<CommandResult>): Promise<void> {
  try {
    for (const problem of (await lint()).errors ?? []) out.problem(problem);
  } catch (error) {
    if (!(error instanceof CliError) || error.exit === exit.interrupted) throw error;
    out.problem(error.problem);
  }
}
