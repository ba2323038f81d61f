/** Runs a server whose clock shows another time: `START_AT` is the time at its start. */
import process from "node:process";
import { readConfig } from "../server/config.ts";
import { runUntilStopped } from "../server/run-until-stopped.ts";

const startAt = Date.parse(process.env["START_AT"] ?? "");
const millis = () => startAt + performance.now();

await runUntilStopped({ config: readConfig(), clock: { millis, now: () => new Date(millis()).toISOString() } });
process.exit(0);
