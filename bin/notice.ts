/** The licenses of what a package bundles. Their terms ask for it. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/**
 * Each license once, with the copyright of each package.
 * @param metafile the list that esbuild writes of what it bundled
 */
export async function notice(root: string, metafile: string): Promise<string> {
  const { inputs } = JSON.parse(await readFile(metafile, "utf8")) as { inputs: Record<string, unknown> };
  const packaged = Object.keys(inputs).filter((input) => input.startsWith("node_modules/"));
  const names = packaged.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  const bundled = [...new Set(names)].filter((name) => name !== undefined).sort();
  const terms = new Map<string, string[]>();
  for (const name of bundled) {
    const { holders, text } = await licenseOf(path.join(root, name));
    const manifest = await readFile(path.join(root, name, "package.json"), "utf8");
    const { version } = JSON.parse(manifest) as { version: string };
    const line = [`${name.replace(/^.*node_modules\//, "")} ${version}`, ...holders].join("; ");
    terms.set(text, [...(terms.get(text) ?? []), line]);
  }
  return [...terms].map(([text, users]) => `${users.join("\n")}\n\n${text}\n`).join(`\n${"-".repeat(72)}\n\n`);
}

/** Who holds the copyright, and the terms without their line breaks. */
async function licenseOf(dir: string): Promise<{ holders: string[]; text: string }> {
  const name = (await readdir(dir)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (name === undefined) {
    const { license } = JSON.parse(await readFile(path.join(dir, "package.json"), "utf8")) as {
      license: string;
    };
    return { holders: [], text: `License: ${license}` };
  }
  const lines = (await readFile(path.join(dir, name), "utf8")).split(/\r?\n/).map((line) => line.trim());
  const isHolder = (line: string) => /^(\(c\)|copyright)\b.*\d{4}|^copyright \(c\)/i.test(line);
  // of two licenses, ours is MIT
  const text = lines.filter((line) => !isHolder(line) && !/^\(?(the )?mit license\)?:?$/i.test(line)).join(" ");
  return {
    holders: lines.filter(isHolder),
    text: text
      .replace(/\s+/g, " ")
      .replace(/ GPL version 3 =.*/, "")
      .trim(),
  };
}
