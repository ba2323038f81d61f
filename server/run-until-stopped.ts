/** Serves until the process is asked to end: `main.ts` and the demo. */
import process from "node:process";
import { serve } from "./serve.ts";
import type { OpenOptions } from "./services.ts";

/** npm and the `sop` command pass on a ^C that the terminal sent here already: not a second one. */
const sameKeyMs = 1000;

/** Says where it listens on stdout, and resolves once everything is closed. A second ^C ends the process at once. */
export async function runUntilStopped(options: OpenOptions): Promise<void> {
  const server = await serve({ announce: (line) => console.log(line), ...options });
  server.services.render.warm();
  if (server.setupToken !== null) {
    console.log(`create the first administrator: ${server.url}/setup?token=${server.setupToken}`);
  }
  console.log(`listening on ${server.url}`);
  await stopSignal();
  await server.stop();
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | null = null;
    const onSignal = (signal: NodeJS.Signals) => {
      if (asked === null) {
        asked = performance.now();
        resolve();
      } else if (performance.now() - asked > sameKeyMs) {
        process.exit(signal === "SIGINT" ? 130 : 143);
      }
    };
    process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  });
}
