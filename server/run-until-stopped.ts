/** Runs a server until a signal ends the process, for `main.ts` and the demo. */
import { constants } from "node:os";
import process from "node:process";
import { serveRequests } from "./serve.ts";
import type { OpenServicesOptions } from "./services.ts";

/**
 * Milliseconds within which a repeated signal counts as the same ^C: npm and the `sop` command pass on a ^C that the
 * terminal sends to this process too.
 */
const sameKeyMs = 1000;

/**
 * Runs the server, prints its address, and resolves once everything is closed. After SIGTERM and SIGHUP, the server
 * serves requests for a while, for a load balancer; after ^C, it doesn't. A second signal skips that time. A signal
 * while everything is closing ends the process at once.
 * @throws NewerSchemaError after the server has closed, when a newer version took over the data
 */
export async function runUntilStopped(options: OpenServicesOptions): Promise<void> {
  const { config } = options;
  const server = await serveRequests({ announce: (line) => console.log(line), ...options });
  if (server.setupToken !== null) {
    console.log(`create the first administrator: ${server.url}/setup?token=${server.setupToken}`);
  }
  if (config.publicUrl !== null) console.log(`public address: ${config.publicUrl}`);
  const signals = watchSignals();
  console.log(`listening on ${server.listensOn}`);
  const end = await Promise.race([signals.first, server.outdated]);
  const drainMs = end === "SIGINT" ? 0 : config.drainSeconds * 1000;
  await server.stop(
    new Promise((resolve) => {
      const exitDrained = () => {
        clearTimeout(timer);
        signals.onNext((signal) => process.exit(128 + constants.signals[signal]));
        resolve();
      };
      const timer = setTimeout(exitDrained, drainMs);
      signals.onNext(exitDrained);
    }),
  );
  if (end instanceof Error) throw end;
}

type OnSignal = (signal: NodeJS.Signals) => void;

function watchSignals(): { first: Promise<NodeJS.Signals>; onNext(on: OnSignal): void } {
  let onNextSignal: OnSignal = () => undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (now - lastAt < sameKeyMs) return;
    lastAt = now;
    onNextSignal(signal);
  };
  const first = new Promise<NodeJS.Signals>((resolve) => {
    onNextSignal = resolve;
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  return { first, onNext: (on) => void (onNextSignal = on) };
}
