/**
 * Finds the config files for a document: in its folder and the folders above, up to the repository's top. A nearer file
 * overrides those above.
 */
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { invalidInputError } from "../exit.ts";
import type { ParsedConfig } from "./read.ts";

export const configNames = ["sop.config.yaml", "sop.config.json"] as const;

export interface ConfigFile extends ParsedConfig {
  file: string;
  folder: string;
}

export interface ConfigFiles {
  /** Returns the config files for a folder, the farthest first, so that nearer files override those above. */
  forFolder(folder: string): Promise<readonly ConfigFile[]>;
}

/** @param named the file that `--config` names; then no other config file is read */
export function createConfigFiles(named: string | undefined): ConfigFiles {
  if (named !== undefined) {
    let alone: Promise<ConfigFile[]> | undefined;
    return { forFolder: () => (alone ??= loadNamedConfig(named)) };
  }
  const known = new Map<string, Promise<readonly ConfigFile[]>>();
  const configFilesFor = (folder: string): Promise<readonly ConfigFile[]> => {
    let files = known.get(folder);
    if (files === undefined) known.set(folder, (files = findConfigFiles(folder)));
    return files;
  };
  const findConfigFiles = async (folder: string): Promise<readonly ConfigFile[]> => {
    const parent = dirname(folder);
    const outer = parent === folder || existsSync(join(folder, ".git")) ? [] : await configFilesFor(parent);
    const own = readConfigFileIn(folder);
    // A symbolic link can lead to any file of this machine, just as `extends` can.
    return own === null
      ? outer
      : [...outer, ...(await loadConfig(own.text, own.file, lstatSync(own.file).isSymbolicLink()))];
  };
  return { forFolder: configFilesFor };
}

function readConfigFileIn(folder: string): { text: string; file: string } | null {
  const found = configNames.flatMap((name) => {
    const file = join(folder, name);
    const text = readTextIfExists(file);
    return text === null ? [] : [{ text, file }];
  });
  if (found.length > 1) {
    throw invalidInputError("config", `${folder}: ${configNames.join(" and ")} are both here: delete one`, {
      path: folder,
    });
  }
  return found[0] ?? null;
}

/**
 * Reads a config file and the file that it extends. Returns the extended file first.
 * @param isLink whether the file is a symbolic link; errors then must not quote its content
 */
async function loadConfig(text: string, file: string, isLink = false): Promise<ConfigFile[]> {
  // The code that reads a config is large, so it loads only if there is a config.
  const { readConfigHidingContent, readConfig } = await import("./read.ts");
  const refuseLink = (message: string, hint: string) =>
    invalidInputError("config", `${file}: a symbolic link: ${message}`, { path: file, hint });
  const read = isLink ? readConfigHidingContent(text, file, refuseLink) : readConfig(text, file);
  const own = { ...read, file, folder: dirname(file) };
  const { extends: base } = own.value;
  if (base === undefined) return [own];
  const path = isAbsolute(base) ? base : resolve(own.folder, base);
  const extendsError = (message: string, hint?: string) =>
    invalidInputError("config", `${file}:${own.positionOf(["extends"])}: extends ${base}: ${message}`, {
      path: file,
      ...(hint !== undefined && { hint }),
    });
  if (!/\.(?:ya?ml|json)$/i.test(path)) throw extendsError("only .yaml and .json files are read");
  const baseText = readTextIfExists(path);
  if (baseText === null) throw extendsError("file not found");
  const extended = { ...readConfigHidingContent(baseText, path, extendsError), file: path, folder: dirname(path) };
  if (extended.value.extends !== undefined)
    throw extendsError("it extends another file, but only one level is allowed");
  return [extended, own];
}

async function loadNamedConfig(file: string): Promise<ConfigFile[]> {
  const text = readTextIfExists(file);
  if (text === null) throw invalidInputError("no_match", `--config ${file}: file not found`, { path: file });
  return await loadConfig(text, file);
}

function readTextIfExists(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
