/** `npm run dev`: the server, restarting on changes, and Vite with hot reload. */
import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bin = path.join(root, "node_modules", ".bin");
const start = (program: string, args: readonly string[]) =>
  spawn(path.join(bin, program), args, { cwd: root, stdio: "inherit" });

const children: ChildProcess[] = [
  start("node", ["--watch-path=server", "--watch-path=core", "--watch", "server/main.ts"]),
  start("vite", []),
];
const stop = () => {
  for (const child of children) child.kill("SIGTERM");
};
for (const child of children) child.once("exit", stop);
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
