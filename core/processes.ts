/**
 * Limits for each process and thread that the programs start. The size of an input says little about the work: a push
 * of 2 KB can name millions of files.
 */

export interface ProcessLimits {
  /** The purpose, as shown in the docs. */
  what: string;
  /** The maximum memory in MB that the process can write to: `RLIMIT_DATA` of Linux. */
  megabytes: number;
  /** Maximum processor time in seconds; null if the caller limits the time of each task. */
  cpuSeconds: number | null;
  /** True if the process starts other programs. Each of them has the same limits. */
  hasHelpers: boolean;
}

export const processLimits = {
  pushedPack: {
    what: "git unpacks a push",
    megabytes: 320,
    // the largest push, 100 MiB and 50,000 objects, needs one second
    cpuSeconds: 10,
    hasHelpers: false,
  },
  pushedObjects: {
    what: "git reads objects of a push, or of a mirror's branch",
    megabytes: 512,
    cpuSeconds: 20,
    hasHelpers: false,
  },
  ownObjects: {
    what: "git reads a repository of the server",
    megabytes: 1_024,
    cpuSeconds: 600,
    hasHelpers: true,
  },
  // git needs 0.7 KB for each object, so this memory is enough for six million objects
  clone: {
    what: "git sends a clone or fetch",
    megabytes: 4_096,
    cpuSeconds: 600,
    hasHelpers: true,
  },
  mirror: {
    what: "git talks to the remote of a mirror",
    megabytes: 4_096,
    cpuSeconds: 600,
    hasHelpers: true,
  },
  mirrorBranch: {
    what: "git fetches a branch from the remote of a mirror",
    megabytes: 320,
    cpuSeconds: 20,
    hasHelpers: true,
  },
  maintenance: {
    what: "git repacks, checks or copies a repository of the server",
    megabytes: 4_096,
    cpuSeconds: 3_600,
    hasHelpers: true,
  },
  print: {
    what: "PDF and Word files, of server and `sop`",
    megabytes: 1_536,
    cpuSeconds: null,
    // allow helpers, because Linux counts Node's threads as processes
    hasHelpers: true,
  },
  terminal: {
    what: "git for `sop`",
    megabytes: 2_048,
    cpuSeconds: 600,
    hasHelpers: true,
  },
} as const satisfies Record<string, ProcessLimits>;

export type ProcessKind = keyof typeof processLimits;

/** Limits of threads. A thread shares the memory of its process, so the limit is for its JavaScript heap. */
export const threadLimits = {
  render: { what: "Texts: previews, saves, comparisons", megabytes: 256 },
  convert: { what: "Files to import", megabytes: 512 },
  search: { what: "Answers of the search", megabytes: 1_024 },
  searchBuild: { what: "A search index that is built", megabytes: 512 },
  backup: { what: "Backups", megabytes: 1_024 },
  damage: { what: "The daily check of the database file", megabytes: 512 },
  checkpoint: { what: "The log of the database file", megabytes: 64 },
  printGuard: { what: "The memory of a process for PDF and Word files", megabytes: 32 },
  lint: { what: "Files for `sop lint`", megabytes: 256 },
} as const satisfies Record<string, { what: string; megabytes: number }>;

export type ThreadKind = keyof typeof threadLimits;

/**
 * A shell script that sets the limits and then runs the program; helpers inherit the limits. A limit that the system
 * doesn't know is skipped. If memory runs out, Linux ends a process with these limits before it ends the server.
 */
const script = [
  'ulimit -d "$1" 2>/dev/null',
  '[ "$2" = 0 ] || ulimit -t "$2" 2>/dev/null',
  // the shells of Debian and Alpine use different letters for this limit
  '[ "$3" = 0 ] || ulimit -u "$3" 2>/dev/null || ulimit -p "$3" 2>/dev/null',
  "{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null",
  "shift 3",
  'exec "$@"',
].join("\n");

/**
 * Returns the command that starts a program within its limits. A shell sets them, because Node can't, and becomes the
 * program with the same process id.
 * @param platform Node's name of the platform; without a shell (`win32`) the program runs without limits
 */
export function limitedCommandOf(
  kind: ProcessKind,
  program: string,
  args: readonly string[],
  platform: string,
): { program: string; args: string[] } {
  if (platform === "win32") return { program, args: [...args] };
  const { megabytes, cpuSeconds, hasHelpers }: ProcessLimits = processLimits[kind];
  const values = [megabytes * 1024, cpuSeconds ?? 0, hasHelpers ? 0 : 1].map(String);
  return { program: "/bin/sh", args: ["-c", script, "sh", ...values, program, ...args] };
}
