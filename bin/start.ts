/** `npm start` and `npm run demo`: builds if needed, then runs the built server in this process. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, isBuilt } from "./build.ts";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

if (!(await isBuilt())) {
  console.error("building …");
  await build();
}
process.chdir(root);
await import(path.join(root, "dist", "server", "sopwright-server.js"));
