/** `npm start` and `npm run demo`: builds if needed, then runs the built server in this process. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, isBuilt } from "./build.ts";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const program = process.argv[2] === "demo" ? "admin.js" : "server.js";

// at once: loading the program takes a moment
if (program === "admin.js") console.error("preparing the demo …");
if (!(await isBuilt())) {
  console.error("building …");
  await build();
}
const envFile = path.join(root, ".env");
try {
  process.loadEnvFile(envFile);
} catch {
  // without .env, the defaults apply
}
if (program === "admin.js") process.argv.splice(2, 1, "demo", "--serve");
await import(path.join(root, "dist", program));
