/** Measures the largest memory of the programs that a test's server starts. Linux only: it reads `/proc`. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

export interface Peak {
  /** The most memory in MiB. */
  resident: number;
  /** Seconds of processor time. */
  seconds: number;
}

export interface Watch {
  /** Stops the watch. @returns the peaks by program, such as `git index-pack` */
  stop(): Map<string, Peak>;
}

/** A short interval, because many programs run only for some milliseconds. */
const lookEveryMs = 2;
/** `USER_HZ`, the same on every Linux. */
const ticks = 100;

/**
 * @param within the beginning of the folder in which the programs run
 * @param file a program of ours that runs in another folder
 */
export function watchPrograms(within: string, file = "-"): Watch {
  const peaks = new Map<string, Peak>();
  const look = () => {
    for (const id of readdirSync("/proc")) {
      if (!/^\d+$/.test(id)) continue;
      try {
        if (!readlinkSync(`/proc/${id}/cwd`).startsWith(within) && !nameOf(id).endsWith(file)) continue;
        const name = nameOf(id);
        const status = readFileSync(`/proc/${id}/status`, "latin1");
        const resident = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
        const stat = readFileSync(`/proc/${id}/stat`, "latin1");
        const [user = 0, system = 0] = stat
          .slice(stat.lastIndexOf(")") + 2)
          .split(" ")
          .slice(11, 13)
          .map(Number);
        const last = peaks.get(name);
        const seconds = (user + system) / ticks;
        peaks.set(name, {
          resident: Math.max(last?.resident ?? 0, resident),
          seconds: Math.max(last?.seconds ?? 0, seconds),
        });
      } catch {
        // the process has ended
      }
    }
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    stop() {
      clearInterval(timer);
      return peaks;
    },
  };
}

function nameOf(id: string): string {
  const [program = "", ...args] = readFileSync(`/proc/${id}/cmdline`, "latin1").split("\0");
  const name = path.basename(program);
  const command = args.find((arg, at) => /^[^-]/.test(arg) && args[at - 1] !== "-c") ?? "";
  return name === "git" ? `git ${command}` : name === "node" ? path.basename(command) : name;
}
