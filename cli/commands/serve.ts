import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { exit, invalidInputError } from "../exit.ts";
import { createConfigFinder } from "../lint/config.ts";
import { jsonEnvelope } from "../output.ts";
import { createServedImages } from "../preview/served-images.ts";
import { startPreview } from "../preview/serve.ts";
import { findWorkspace } from "../workspace/find.ts";
import type { CommandContext, CommandResult } from "../context.ts";

export interface ServeOptions {
  port: number;
  open?: boolean;
}

/** Serves the preview of a workspace until ^C. */
export async function servePreview(context: CommandContext, options: ServeOptions): Promise<CommandResult> {
  const root = findWorkspace(context);
  if (options.port > 65_535) throw invalidInputError("usage", `--port ${options.port}: the highest port is 65535`);
  const optionsOf = createConfigFinder(context.flags.config && resolve(context.cwd, context.flags.config));
  // A broken config fails here, on the terminal, and not later in the browser.
  await optionsOf(join(root, "sops", "any.md"));
  const preview = await startPreview(
    { root, name: basename(root), images: createServedImages(root), optionsOf },
    options.port,
  );
  const watcher = await watchFolder(root, () => preview.reloadPages());
  let opened: string | null = null;
  try {
    const data = { url: preview.url, root };
    await context.out.write(context.out.json ? jsonEnvelope("serve", true, data, []) : `Preview at ${preview.url}\n`);
    context.out.note("It updates when files change. Press ^C to stop.");
    if (options.open) openBrowser((opened = await createRedirectFile(preview.url)));
    if (!context.signal.aborted) {
      await new Promise<void>((ended) => context.signal.addEventListener("abort", () => ended(), { once: true }));
    }
    return { exit: exit.interrupted, data, streamed: true };
  } finally {
    if (opened !== null) await rm(dirname(opened), { recursive: true, force: true });
    await watcher.close();
    await preview.close();
  }
}

/**
 * Calls `changed` when files change. Changes in quick succession count as one, because editors save in several steps.
 */
async function watchFolder(root: string, changed: () => void) {
  const { watch: follow } = await import("chokidar");
  const isIgnoredPath = (path: string) =>
    /[\\/](?:\.git|\.sop|node_modules)(?:[\\/]|$)|\.tmp$/.test(path.slice(root.length));
  const watcher = follow(root, { ignored: isIgnoredPath, ignoreInitial: true });
  let timer: NodeJS.Timeout | undefined;
  watcher.on("all", () => {
    clearTimeout(timer);
    timer = setTimeout(changed, 60);
  });
  await new Promise<void>((ready) => watcher.once("ready", ready));
  return watcher;
}

/**
 * Creates a private file that redirects the browser to the URL with its key. The key can't be an argument of the
 * browser's program, because other users of the machine see arguments.
 */
async function createRedirectFile(url: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "sop-serve-")), "open.html");
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">`, { mode: 0o600 });
  return file;
}

function openBrowser(file: string): void {
  const url = pathToFileURL(file).href;
  const [program, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  // If no browser starts, the user can open the printed address.
  spawn(program ?? "", args, { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}
