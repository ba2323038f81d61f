/**
 * Runs the `sopwright-server` command: the server, the demo or an operator's task. This file imports other files only
 * after it has checked Node's version, because an older Node can't read those files.
 */
import process from "node:process";

const oldestNode = 24;
const usage = 2;

const help = `Usage: sopwright-server [command]

Serves Sopwright. Settings are environment variables, also from the file .env in this folder.

Commands:
  (none)        serve
  demo          serve an example company from a temporary folder, or from --data-dir <dir>
  admin <task>  run an operator's task: sopwright-server admin --help lists them

Options:
  -V, --version  print the version
  -h, --help     print this help
`;

const [command, ...rest] = process.argv.slice(2);

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  printProblem(`needs Node ${oldestNode} or newer, this is Node ${process.versions.node}`);
} else if (command === "-h" || command === "--help" || command === "help") {
  process.stdout.write(help);
} else if (command === "-V" || command === "--version") {
  process.stdout.write(`${(await import("#core/version.ts")).version}\n`);
} else if (command === undefined && rest.length === 0) {
  await loadEnvFileAndEnableCache();
  await import("./main.ts");
} else if (command === "demo" || command === "admin") {
  await loadEnvFileAndEnableCache();
  if (command === "demo") process.stderr.write("preparing the demo …\n");
  process.argv.splice(2, 1, ...(command === "demo" ? ["demo", "--serve"] : []));
  await import("./admin/main.ts");
} else {
  printProblem(`${command} is not a command (sopwright-server --help lists them)`);
}

async function loadEnvFileAndEnableCache(): Promise<void> {
  const { ownCacheFolder } = await import("./own-cache.ts");
  const cache = ownCacheFolder();
  if (cache !== null) process.getBuiltinModule("node:module").enableCompileCache(cache);
  try {
    // `.env` can be a pipe, because secret managers provide one
    const isFolder = process.getBuiltinModule("node:fs").statSync(".env").isDirectory();
    if (isFolder) return exitForUnusableEnvFile("there is a folder in the place of a file");
    process.loadEnvFile();
  } catch (error) {
    // without .env, the settings have their defaults
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    const { failureReason: reasonOf } = await import("./foreign-failure.ts");
    exitForUnusableEnvFile(reasonOf(error));
  }
}

function exitForUnusableEnvFile(fault: string): never {
  printProblem(`.env: ${fault}`);
  process.exit();
}

function printProblem(problem: string): void {
  process.stderr.write(`sopwright-server: ${problem}\n`);
  process.exitCode = usage;
}
