/** Fetches the fonts of a script by npm, from the registry that this machine uses. Stores only files that PDFs need. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { FontSet } from "#core/export/fonts.ts";
import { CliError, exit, invalidInputError } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";

/** The templates use regular and semi-bold text. These fonts have no semi-bold, so bold replaces it. */
const weights = ["400Regular", "700Bold"];

/** Returns the beginning of the names of a font's files, such as `NotoSansSC`. */
export function fontFilePrefix({ families: [family] }: FontSet): string {
  return family.replaceAll(" ", "");
}

/** @returns the number of bytes written */
export async function fetchFonts(set: FontSet, folder: string, signal: AbortSignal): Promise<number> {
  const { name, version } = set.package;
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, ".adding-"));
  try {
    // Without a package.json here, npm would look for a project in the folders above.
    await writeFile(join(work, "package.json"), '{ "private": true }\n');
    await runNpm(
      ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`],
      work,
      signal,
    );
    const fetched = join(work, "node_modules", name);
    let bytes = 0;
    for (const weight of weights) {
      const file = (await readdir(join(fetched, weight))).find((one) => one.endsWith(".ttf"));
      if (file === undefined) throw new Error(`${name} has no font of weight ${weight}`);
      const font = await readFile(join(fetched, weight, file));
      await writeFileAtomically(join(folder, basename(file)), font);
      bytes += font.length;
    }
    await writeFileAtomically(
      join(folder, `${fontFilePrefix(set)}_LICENSE.txt`),
      await readFile(join(fetched, "LICENSE_FONT")),
    );
    return bytes;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function runNpm(args: readonly string[], cwd: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // On Windows npm is a script, which needs a shell. No argument comes from users.
    const child = spawn("npm", args, { cwd, signal, shell: process.platform === "win32" });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4_000)));
    child.stdout.resume();
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") return reject(error);
      reject(
        invalidInputError("no_npm", "npm is not installed", { hint: "copy the fonts into a folder: --fonts <folder>" }),
      );
    });
    child.once("close", (code) => {
      if (code === 0) return resolve();
      const reason = said.split("\n").find((line) => /^npm err/i.test(line) && !/ code /.test(line)) ?? said.trim();
      reject(
        new CliError(exit.network, {
          code: "npm",
          message: `npm can't fetch the fonts: ${reason.replace(/^npm err\w*!?\s*/i, "")}`,
          hint: "without network: copy the fonts into a folder and name it, --fonts <folder>",
        }),
      );
    });
  });
}
