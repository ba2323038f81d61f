/** The files that `sop init` writes, by path. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { configJsonSchema } from "../config/schema.ts";
import { configName } from "./find.ts";
import { readBundledFile } from "./bundled-files.ts";

export interface InitChoices {
  ci?: "github" | "gitlab";
  hooks?: boolean;
}

export interface InitFile {
  path: string;
  text: string;
  /** A script. */
  executable?: boolean;
  /** Keeps the existing file and adds our lines. */
  joined?: boolean;
}

export async function initFiles(root: string, { ci, hooks }: InitChoices): Promise<InitFile[]> {
  const shipped = (path: string, ...names: string[]) =>
    readBundledFile("workspace", ...names).then((text) => ({ path, text }));
  return [
    await shipped(configName, configName),
    { path: "sop.config.schema.json", text: `${JSON.stringify(configJsonSchema(), null, 2)}\n` },
    await shipped("templates/standard.md", "templates", "standard.md"),
    await withOwn(root, ".gitignore", "gitignore"),
    await withOwn(root, ".sopignore", "sopignore"),
    ...(ci === "github"
      ? [
          await shipped(".github/workflows/sops.yml", "github", "workflows", "sops.yml"),
          await shipped(".github/actions/sop/action.yml", "github", "actions", "sop", "action.yml"),
        ]
      : []),
    ...(ci === "gitlab" ? [await shipped(".gitlab-ci.yml", "gitlab", ".gitlab-ci.yml")] : []),
    ...(hooks ? [{ ...(await shipped(".githooks/pre-commit", "githooks", "pre-commit")), executable: true }] : []),
  ];
}

/** The existing content of the file, with our missing lines added. */
async function withOwn(root: string, path: string, name: string): Promise<InitFile> {
  const file = join(root, path);
  const lines = await readBundledFile("workspace", name);
  const own = existsSync(file) ? await readFile(file, "utf8") : "";
  if (own === "") return { path, text: lines, joined: true };
  const known = new Set(own.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.split("\n").filter((line) => line !== "" && !line.startsWith("#") && !known.has(line));
  const added = missing.map((line) => `${line}\n`).join("");
  return { path, text: added === "" ? own : own.replace(/\n?$/, "\n") + added, joined: true };
}
