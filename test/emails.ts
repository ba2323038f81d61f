/** The emails that a server writes to files, or that its mail server (`sendsEmail`) stores there. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import type { TestServer } from "./server.ts";

/** The emails in files, oldest first. */
export async function writtenEmails({ dataDir }: Pick<TestServer, "dataDir">): Promise<string[]> {
  const dir = path.join(dataDir, "mail");
  const files = (await readdir(dir).catch(() => [])).filter((file) => file.endsWith(".eml"));
  return Promise.all(files.toSorted().map((file) => readFile(path.join(dir, file), "utf8")));
}

/** The emails, once the outbox has none left to send. */
export async function sentEmails(server: TestServer): Promise<string[]> {
  const waiting = () =>
    server.db.collection("outbox").countDocuments({ state: "pending", dueAt: { $lte: server.clock.now() } });
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  return writtenEmails(server);
}

/** @returns the sent emails to this address */
export async function emailsTo(server: TestServer, address: string): Promise<string[]> {
  return (await sentEmails(server)).filter((email) => email.includes(`\nTo: ${address}\n`));
}
