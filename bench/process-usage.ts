/**
 * Loaded before a program. At exit it writes what the process used, with its threads, into the file that PROCESS_USAGE
 * names.
 */
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const file = process.env["PROCESS_USAGE"];
  const usage = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, rssMiB: maxRSS / 1024 };
  if (file !== undefined) writeFileSync(file, JSON.stringify(usage));
});
