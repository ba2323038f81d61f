import { ConfigError, readConfig } from "../server/config.ts";

/** @returns why the server doesn't start with these settings; empty if it starts */
export function configProblems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}
