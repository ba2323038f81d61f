import { editDistance } from "#core/text/distance.ts";
import { Environment, secretNames } from "./config.ts";

/**
 * Finds names in the environment that resemble the name of a setting, or name a file for a setting that can't come from
 * a file.
 * @returns a warning for each name
 */
export function misspelledSettingWarnings(env: Record<string, string | undefined>): string[] {
  const names = [...Object.keys(Environment.shape), ...secretNames.map((name) => `${name}_FILE`)];
  return Object.keys(env).flatMap((name) => {
    const [, setting = ""] = /^(.+)_FILE$/.exec(name) ?? [];
    if (setting in Environment.shape && !names.includes(name))
      return [`${name} is not a setting: the value of ${setting} can't come from a file`];
    const atMost = name.length < 8 ? 1 : 2;
    const near = names.includes(name)
      ? undefined
      : names.find((ours) => editDistance(name.toUpperCase(), ours, atMost).full <= atMost);
    return near === undefined ? [] : [`${name} is not a setting; did you mean ${near}?`];
  });
}

/** Settings, each with those that have an effect only together with it. */
const needs: Partial<Record<keyof typeof Environment.shape, readonly (keyof typeof Environment.shape)[]>> = {
  ASSET_STORE: ["S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  BACKUP_DIR: ["BACKUP_HOURS", "BACKUP_KEEP"],
  MONGODB_URI: ["CACHE_BYTES"],
};

/**
 * Finds settings that have no effect, because the setting that they belong to is unset.
 * @returns a warning for each setting
 */
export function ineffectiveSettingWarnings(env: Record<string, string | undefined>): string[] {
  const isSet = (name: string) => Boolean(env[name] || env[`${name}_FILE`]);
  return Object.entries(needs).flatMap(([needed, names]) =>
    isSet(needed) ? [] : names.filter(isSet).map((name) => `${name} has no effect without ${needed}`),
  );
}
