import { join, resolve } from "node:path";
import { homeFolder } from "../home.ts";

/** Returns the folder in which `sop fonts add` puts fonts and in which exports without a server look first. */
export function fontFolder(env: NodeJS.ProcessEnv): string {
  if (env["FONTS_DIR"]) return resolve(env["FONTS_DIR"]);
  if (env["DATA_DIR"]) return resolve(env["DATA_DIR"], "fonts");
  const base =
    env["XDG_DATA_HOME"] || (process.platform === "win32" && env["LOCALAPPDATA"]) || join(homeFolder(), ".local/share");
  return join(base, "sopwright", "fonts");
}
