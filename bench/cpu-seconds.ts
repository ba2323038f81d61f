/** Processor time of whole programs, in any language: the shell's own account of what it started. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./figure.ts";

/** The programs in turn, `turns` times, each `repeats` times a turn. @returns the median of one run for each, in seconds */
export async function cpuSeconds<T extends readonly (readonly string[])[]>(
  programs: readonly [...T],
  cwd: string,
  turns: number,
  repeats = 1,
): Promise<{ [Key in keyof T]: number }> {
  const taken = programs.map((): number[] => []);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, program] of programs.entries())
      taken[index]?.push((await once(program, cwd, repeats)) / repeats);
  }
  return taken.map(median) as { [Key in keyof T]: number };
}

/** Exit 0, or 1 to 3: something was found or refused. */
const script = `for turn in $(seq $1); do ( shift; exec "$@" ) >/dev/null 2>&1; [ $? -le 3 ] || exit 1; done; times`;

async function once(program: readonly string[], cwd: string, repeats: number): Promise<number> {
  const child = spawn("sh", ["-c", script, "sh", String(repeats), ...program], {
    cwd,
    // No config or cache of the user.
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, XDG_CACHE_HOME: join(tmpdir(), "sop-bench-cache") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const code = await new Promise<number | null>((done, reject) => child.once("error", reject).once("close", done));
  // the second line: user and system time of its children
  const [user, system] = [...(said.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  );
  if (code !== 0 || user === undefined || system === undefined) throw new Error(`${program.join(" ")} failed`);
  return user + system;
}

/** Processor seconds that a running program used, with those of its children that have ended. */
export function cpuOf(pid: number | undefined): Promise<number> {
  return ticksOf(`/proc/${pid}/stat`, 4);
}

/** Of its first thread alone: in a server it answers the requests. */
export function cpuOfFirstThread(pid: number | undefined): Promise<number> {
  return ticksOf(`/proc/${pid}/task/${pid}/stat`, 2);
}

/** @param fields how many, from `utime` on */
async function ticksOf(file: string, fields: number): Promise<number> {
  const status = await readFile(file, "utf8");
  const counted = status
    .slice(status.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 11 + fields);
  return counted.reduce((sum, field) => sum + Number(field), 0) / 100;
}
