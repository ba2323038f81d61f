/**
 * The `sop` command. It turns the compile cache on before it imports the program, so that it starts quickly. An older
 * Node can read only this file.
 */
import { isTooOld, oldestNode } from "./oldest-node.ts";

if (isTooOld(process.versions.node)) {
  process.stderr.write(`sop: needs Node ${oldestNode} or newer, this is Node ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  const { ownCacheFolder } = await import("./own-cache.ts");
  const cache = ownCacheFolder();
  if (cache !== null) process.getBuiltinModule("node:module").enableCompileCache(cache);
  const { main } = await import("./program.ts");
  process.exitCode = await main(process.argv.slice(2));
}
