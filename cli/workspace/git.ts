/** Runs the machine's git with a list of arguments, never through a shell. */
import { CliError, exit, invalidInputError } from "../exit.ts";
import { runGit } from "../limited-program.ts";

export interface GitAnswer {
  code: number;
  stdout: string;
  stderr: string;
}

interface GitOptions {
  signal?: AbortSignal | undefined;
  env?: NodeJS.ProcessEnv;
}

/** @throws exit 2 if git isn't installed */
export function runWorkspaceGit(
  root: string,
  args: readonly string[],
  { signal, env }: GitOptions = {},
): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const more = { ...(signal && { signal }), ...(env && { env }) };
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, encoding: "utf8", ...more } as const;
    runGit(args, options, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr });
      if (error.code === "ENOENT") return reject(noGitError());
      if (typeof error.code === "number") return resolve({ code: error.code, stdout, stderr });
      reject(new CliError(exit.invalid, { code: "git", message: `git: ${error.message}` }, error));
    });
  });
}

function noGitError() {
  return invalidInputError("no_git", "git is not installed here", {
    hint: "install git, or ask the server: name the SOP by its number",
  });
}

/** Says whether the folder is inside a work tree. */
export async function isInWorkTree(root: string): Promise<boolean> {
  return (await runWorkspaceGit(root, ["rev-parse", "--is-inside-work-tree"])).stdout.trim() === "true";
}
