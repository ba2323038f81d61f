/** Counts the driver's busy connections and waiting operations. */
// oxlint-disable-next-line no-restricted-imports -- the engine itself
import type { MongoClient } from "mongodb";

export function watchPool(client: MongoClient): () => { running: number; waiting: number } {
  let [running, waiting] = [0, 0];
  client.on("connectionCheckOutStarted", () => (waiting += 1));
  client.on("connectionCheckOutFailed", () => (waiting -= 1));
  client.on("connectionCheckedOut", () => {
    waiting -= 1;
    running += 1;
  });
  client.on("connectionCheckedIn", () => (running -= 1));
  // an operation may have begun before counting did
  return () => ({ running: Math.max(0, running), waiting: Math.max(0, waiting) });
}
