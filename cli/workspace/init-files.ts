/** The files that `sop init` writes, by path. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { configJsonSchema } from "../config/schema.ts";
import { workspaceConfigName } from "./find.ts";
import { readIfExists } from "../files.ts";
import { readBundledFile } from "./bundled-files.ts";

export interface InitChoices {
  ci?: "github" | "gitlab";
  hooks?: boolean;
}

/** The package that CI installs. */
export interface CiPackage {
  /** The server's origin, such as `https://sops.example.com`. */
  server: string;
  /** The package's SHA-512 in hexadecimal. */
  sha512: string;
}

export interface InitFile {
  path: string;
  text: string;
  /** True if the file is a script. */
  executable?: boolean;
  /** True if `text` contains the existing file's own lines, so that it can replace that file. */
  joined?: boolean;
}

export async function loadInitFiles(root: string, { hooks }: InitChoices): Promise<InitFile[]> {
  return [
    await bundledInitFile(workspaceConfigName, workspaceConfigName),
    { path: "sop.config.schema.json", text: `${JSON.stringify(configJsonSchema(), null, 2)}\n` },
    await bundledInitFile("templates/standard.md", "templates", "standard.md"),
    await withMissingLines(root, ".gitignore", "gitignore"),
    await withMissingLines(root, ".sopignore", "sopignore"),
    ...(hooks
      ? [{ ...(await bundledInitFile(".githooks/pre-commit", "githooks", "pre-commit")), executable: true }]
      : []),
  ];
}

/** Returns the CI files. In existing ones only the server and the SHA-512 are replaced. */
export async function loadCiFiles(root: string, ci: "github" | "gitlab", from: CiPackage): Promise<InitFile[]> {
  const files =
    ci === "github"
      ? [
          await bundledInitFile(".github/workflows/sops.yml", "github", "workflows", "sops.yml"),
          await bundledInitFile(".github/actions/sop/action.yml", "github", "actions", "sop", "action.yml"),
        ]
      : [await bundledInitFile(".gitlab-ci.yml", "gitlab", ".gitlab-ci.yml")];
  return await Promise.all(
    files.map(async ({ path, text }) => {
      const own = await readIfExists(join(root, path));
      const isOurs = own?.includes("SOP_SERVER:") === true;
      return { path, text: withCiPackage(isOurs ? own.toString("utf8") : text, from), joined: isOurs };
    }),
  );
}

function withCiPackage(text: string, { server, sha512 }: CiPackage): string {
  return text
    .replace(/^( *SOP_SERVER: ).*$/gm, (_, key: string) => key + server)
    .replace(/^( *SOP_SHA512: ).*$/gm, (_, key: string) => `${key}"${sha512}"`);
}

async function bundledInitFile(path: string, ...names: string[]): Promise<InitFile> {
  return { path, text: await readBundledFile("workspace", ...names) };
}

/** Returns the existing content of the file with missing lines added. */
async function withMissingLines(root: string, path: string, name: string): Promise<InitFile> {
  const file = join(root, path);
  const lines = await readBundledFile("workspace", name);
  const own = existsSync(file) ? await readFile(file, "utf8") : "";
  if (own === "") return { path, text: lines, joined: true };
  const known = new Set(own.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.split("\n").filter((line) => line !== "" && !line.startsWith("#") && !known.has(line));
  const added = missing.map((line) => `${line}\n`).join("");
  return { path, text: added === "" ? own : own.replace(/\n?$/, "\n") + added, joined: true };
}
