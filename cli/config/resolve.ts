/**
 * Merges the settings for one document. In order of precedence: flags, overrides, the nearest config file, config files
 * above it, the defaults.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import ignore from "ignore";
import type { RuleChoice } from "#core/lint/presets.ts";
import type { PresetName } from "#core/lint/rule.ts";
import type { SomeSettings } from "#core/lint/settings.ts";
import { isInsideFolder, pathWithin } from "../workspace.ts";
import type { ConfigFile, ConfigFiles } from "./find.ts";
import type { dialects } from "./schema.ts";

/** The options of the linter without the file's path. */
export interface LintConfig {
  preset: PresetName;
  rules: RuleChoice;
  settings: SomeSettings;
}

/** A source of settings: a config file, an override in it, or the flags. */
export interface ConfigLayer extends Partial<LintConfig> {
  dialect?: FileDialect;
  origin: (path: readonly PropertyKey[]) => string;
}

export type FileDialect = (typeof dialects)[number];

export const defaultPreset: PresetName = "recommended";

/** Returns the config layers that apply to `file`, the one with the lowest precedence first. */
export async function loadConfigLayers(file: string, files: ConfigFiles): Promise<ConfigLayer[]> {
  return (await files.forFolder(dirname(file))).flatMap((config) => [
    configLayerOf(config, [], config.value),
    ...(config.value.overrides ?? []).flatMap((override, index) =>
      matchesPatterns(file, config.folder, override.files)
        ? [configLayerOf(config, ["overrides", index], override)]
        : [],
    ),
  ]);
}

/** Returns the dialect that the layers name. Without one, documents below a folder with MkDocs settings use MkDocs. */
export function findDialect(file: string, parts: readonly ConfigLayer[]): { value: FileDialect; origin: string } {
  const part = parts.findLast(({ dialect }) => dialect !== undefined);
  if (part?.dialect !== undefined) return { value: part.dialect, origin: part.origin(["dialect"]) };
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = ["mkdocs.yml", "mkdocs.yaml"].map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) return { value: "mkdocs", origin: found };
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return { value: "github", origin: "default" };
  }
}

export function mergeConfigs(parts: readonly Partial<LintConfig>[]): LintConfig {
  return parts.reduce<LintConfig>(
    (weak, strong) => ({
      preset: strong.preset ?? weak.preset,
      rules: { ...weak.rules, ...strong.rules },
      settings: mergeSettings(weak.settings, strong.settings ?? {}),
    }),
    { preset: defaultPreset, rules: {}, settings: {} },
  );
}

/** Merges settings: a list in `strong` replaces the list in `weak`, and mappings are merged key by key. */
function mergeSettings(weak: SomeSettings, strong: SomeSettings): SomeSettings {
  const merged = { ...weak, ...strong };
  if (weak.terms && strong.terms) merged.terms = { ...weak.terms, ...strong.terms };
  if (weak.limits && strong.limits) merged.limits = { ...weak.limits, ...strong.limits };
  return merged;
}

/** Returns a function from a document's path to its lint options. Documents with the same settings share one object. */
export function createConfigResolver(
  files: ConfigFiles,
  flags: Partial<LintConfig>,
): (file: string) => Promise<LintConfig> {
  const bySerialized = new Map<string, LintConfig>();
  const plain = new Map<string, LintConfig>();
  return async (file) => {
    const folder = dirname(file);
    const known = plain.get(folder);
    if (known !== undefined) return known;
    const config = mergeConfigs([...(await loadConfigLayers(file, files)), flags]);
    const serialized = JSON.stringify(config);
    const shared = bySerialized.get(serialized) ?? config;
    bySerialized.set(serialized, shared);
    if ((await files.forFolder(folder)).every(({ value }) => value.overrides === undefined)) plain.set(folder, shared);
    return shared;
  };
}

function configLayerOf(
  config: ConfigFile,
  at: readonly PropertyKey[],
  value: Partial<ConfigFile["value"]>,
): ConfigLayer {
  const { preset, rules, dialect, idPattern, terms, acronyms, sections, lang, limits } = value;
  const settings: Record<string, unknown> = { idPattern, terms, acronyms, lang, limits };
  settings["sections"] = Array.isArray(sections) ? { default: sections } : sections;
  for (const key of Object.keys(settings)) if (settings[key] === undefined) delete settings[key];
  return {
    ...(preset !== undefined && { preset }),
    ...(rules !== undefined && { rules }),
    ...(dialect !== undefined && { dialect }),
    settings: settings as SomeSettings,
    origin: (path) => `${config.file}:${config.positionOf([...at, ...path])}`,
  };
}

const matchers = new WeakMap<readonly string[], (path: string) => boolean>();

function matchesPatterns(file: string, folder: string, patterns: readonly string[]): boolean {
  if (!isInsideFolder(folder, file) || file === folder) return false;
  let test = matchers.get(patterns);
  if (test === undefined) {
    const patternsRead = ignore().add([...patterns]);
    matchers.set(patterns, (test = (path) => patternsRead.ignores(path)));
  }
  return test(pathWithin(folder, file));
}
