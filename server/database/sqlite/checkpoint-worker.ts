// runs in a worker thread: moves the pages of the write-ahead log into the database file, which waits for the disk
import { parentPort, workerData } from "node:worker_threads";
import { SqliteConnection } from "./connection.ts";

const connection = new SqliteConnection((workerData as { file: string }).file, "write");
connection.exec("PRAGMA synchronous=NORMAL");

parentPort?.on("message", () => {
  try {
    connection.get("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // a failure loses nothing: the log keeps its pages, and the next checkpoint moves them
  }
  parentPort?.postMessage("done");
});
