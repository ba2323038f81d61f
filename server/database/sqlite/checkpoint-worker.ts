// This worker thread moves the pages of the write-ahead log into the database file, because that waits for the disk.
import { parentPort, workerData } from "node:worker_threads";
import { SqliteConnection } from "./connection.ts";

const connection = new SqliteConnection((workerData as { file: string }).file, "write");
connection.exec("PRAGMA synchronous=NORMAL");

parentPort?.on("message", () => {
  try {
    connection.get("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // the log keeps its pages after a failure, and the next checkpoint moves them
  }
  parentPort?.postMessage("done");
});
