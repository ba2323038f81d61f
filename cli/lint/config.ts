/** `sop.config.yaml`: the preset and the severities that differ from it. Data only: CI lints what strangers send. */
import { dirname, join } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { presets, type PresetName } from "#core/lint/presets.ts";
import { invalid } from "../exit.ts";
import { readIfThere } from "../files.ts";
import { chooseRules, type RuleChoice } from "./rules.ts";

export interface LintConfig {
  preset: PresetName;
  rules: RuleChoice;
}

const name = "sop.config.yaml";
const keys = ["schema", "preset", "rules"];
const fallback: LintConfig = { preset: "minimal", rules: {} };

/** Finds the config of each folder: the nearest one above it, or the one that was named. */
export function createConfigFinder(named: string | undefined): (folder: string) => Promise<LintConfig> {
  const known = new Map<string, Promise<LintConfig>>();
  const find = (folder: string): Promise<LintConfig> => {
    let config = known.get(folder);
    if (config === undefined) known.set(folder, (config = look(folder)));
    return config;
  };
  const look = async (folder: string): Promise<LintConfig> => {
    const file = join(folder, name);
    const bytes = await readIfThere(file);
    if (bytes !== null) return readConfig(bytes.toString("utf8"), file);
    return dirname(folder) === folder ? fallback : await find(dirname(folder));
  };
  if (named === undefined) return find;
  let one: Promise<LintConfig> | undefined;
  return () => (one ??= readNamed(named));
}

async function readNamed(file: string): Promise<LintConfig> {
  const bytes = await readIfThere(file);
  if (bytes === null) throw invalid("no_match", `--config ${file}: there is no such file`, { path: file });
  return readConfig(bytes.toString("utf8"), file);
}

/** @throws exit 2 naming file, line and what would be right */
function readConfig(text: string, file: string): LintConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: "core", customTags: [], logLevel: "silent", lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw invalid("config", `${file}:${broken.linePos?.[0].line ?? 1}: ${broken.message.split("\n")[0] ?? ""}`, {
      path: file,
    });
  }
  const value: unknown = document.toJS({ maxAliasCount: 16 }) ?? {};
  const wrong = (key: string, says: string) => {
    const at = new RegExp(`^${key.replace(/\W/g, "\\$&")}\\s*:`, "m").exec(text)?.index ?? 0;
    return invalid("config", `${file}:${lines.linePos(at).line}: ${says}`, { path: file });
  };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong("", "this is no list of `key: value` lines");
  const { schema = 1, preset = fallback.preset, rules = {} } = value as Record<string, unknown>;
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw wrong(unknown, `${unknown} is not known here; there are ${keys.join(", ")}`);
  if (schema !== 1) throw wrong("schema", "this program reads schema 1");
  if (!isPreset(preset)) throw wrong("preset", `preset is one of ${Object.keys(presets).join(", ")}`);
  if (typeof rules !== "object" || rules === null || Array.isArray(rules))
    throw wrong("rules", "rules is a list of `id: severity`");
  return { preset, rules: chooseRules(Object.entries(rules as object), (says) => wrong("rules", says)) };
}

function isPreset(value: unknown): value is PresetName {
  return typeof value === "string" && Object.hasOwn(presets, value);
}
