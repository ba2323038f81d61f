// Runs in a worker thread: moves what the write-ahead log holds into the database file, which waits for the disk.
import { parentPort, workerData } from "node:worker_threads";
import { Connection } from "./connection.ts";

const connection = new Connection((workerData as { file: string }).file, "write");
connection.exec("PRAGMA synchronous=NORMAL");

parentPort?.on("message", () => {
  try {
    connection.get("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // the log keeps all, and the next checkpoint moves it
  }
  parentPort?.postMessage("done");
});
