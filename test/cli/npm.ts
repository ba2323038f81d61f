/** Runs npm as people do: in a folder of its own, with the cache and the registry of this machine. */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { node, project } from "../node-program.ts";

/** The path of a file that `npm run pack` makes. `npm test` builds it first. */
export function packedFile(name: "sopwright" | "sopwright-server" = "sopwright"): string {
  const folder = join(project, "dist/packages");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const file = files.find((one) => one.startsWith(`${name}-`) && /^-\d/.test(one.slice(name.length)));
  if (file === undefined) throw new Error(`dist/packages has no ${name}: run \`npm run build\``);
  return join(folder, file);
}

/**
 * The environment of npm. `SOP_TEST_NODE` names another Node to run the package with.
 * @param home the folder for global packages, with no file of this project on the way
 */
export function npmEnv(home: string): Record<string, string> {
  const bin = join(home, ".node");
  mkdirSync(bin, { recursive: true });
  if (!existsSync(join(bin, "node"))) symlinkSync(process.env["SOP_TEST_NODE"] ?? node, join(bin, "node"));
  const inherited = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && /^npm_config_|_proxy$|^NODE_EXTRA_CA_CERTS$/i.test(name),
  ) as [string, string][];
  const path = (process.env["PATH"] ?? "").split(":").filter((one) => !one.includes("node_modules"));
  return {
    ...Object.fromEntries(inherited),
    PATH: [join(home, "global/bin"), bin, ...path].join(":"),
    HOME: home,
    SOP_KEYRING: "off",
    npm_config_prefix: join(home, "global"),
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
    npm_config_userconfig: join(homedir(), ".npmrc"),
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
  };
}
