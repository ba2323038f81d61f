/** Helpers for tests of notifications: they send notifications like features do, and read the resulting emails. */
import { writtenEmails } from "./emails.ts";
import type { TestServer, TestUser } from "./server.ts";
import { TransactionConflictError } from "../server/database/port.ts";
import { transactionFor } from "../server/database/turns.ts";
import { digestKind } from "../server/notifications/digest.ts";
import { notifyUsers, type Notice } from "../server/notifications/notify.ts";

export const sendNotice = (
  server: TestServer,
  to: readonly TestUser[],
  notice: Partial<Notice> & Pick<Notice, "kind">,
): Promise<void> => {
  const [first] = to;
  const companyId = first?.companyId ?? "";
  const whole = { companyId, to: to.map(({ id }) => id), sopId: null, actor: null, at: server.clock.now(), ...notice };
  return untilItPasses(() => transactionFor(server.db, companyId, (tx) => notifyUsers(tx, whole)));
};

/** Sends a notification like another server, whose transactions don't wait for this process. */
export const sendNoticeFromOtherProcess = (
  server: TestServer,
  to: TestUser,
  notice: Omit<Notice, "companyId" | "to">,
) =>
  untilItPasses(() =>
    server.db.transaction((tx) => notifyUsers(tx, { ...notice, companyId: to.companyId, to: [to.id] })),
  );

/** Repeats after a conflict with other transactions, as clients do when the server is "busy". */
async function untilItPasses(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransactionConflictError)) throw error;
    }
  }
}

export async function setEmail(server: TestServer, user: TestUser): Promise<string> {
  const email = `${user.username}@example.org`;
  await server.db.collection("users").updateOne({ _id: user.id }, { $set: { email, emailVerified: true } });
  return email;
}

export interface ReadMail {
  subject: string;
  text: string;
}

/** The emails to an address, oldest first. */
export async function mailsTo(server: TestServer, address: string): Promise<ReadMail[]> {
  return (await writtenEmails(server))
    .filter((text) => text.includes(`To: ${address}`))
    .map((text) => {
      const [head = "", ...body] = text.split("\n\n");
      // nodemailer folds long headers, and breaks long lines of the text with = at their end
      const subject = /^Subject: (.*(?:\n[ \t].*)*)/m.exec(head)?.[1] ?? "";
      return { subject: decoded(subject.replaceAll(/\n\s+/g, " ")), text: body.join("\n\n").replaceAll("=\n", "") };
    });
}

/** Decodes a header whose words are written by RFC 2047, or as they are. */
function decoded(header: string): string {
  const words = header.replaceAll("?= =?", "?==?");
  return words.replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/g, (_, way: string, word: string) =>
    way === "B"
      ? Buffer.from(word, "base64").toString()
      : decodeURIComponent(word.replaceAll("_", " ").replaceAll("=", "%")),
  );
}

/** An item without a handler, so that waking has no side effects. */
const waker = {
  companyId: null,
  kind: "nothing",
  state: "done",
  attempts: 0,
  dueAt: "",
  lastError: null,
  createdAt: "",
} as const;

/** Lets the outbox handle this user's email, if it is due. */
export async function afterMail(server: TestServer, user: TestUser): Promise<void> {
  const _id = `${digestKind}:${user.id}`;
  const items = server.db.collection("outbox");
  const wasDue = (await items.findOne({ _id }))?.dueAt ?? "";
  if (wasDue === "" || wasDue > server.clock.now()) return;
  for (;;) {
    const item = await items.findOne({ _id });
    if (item?.state !== "pending" || item.dueAt !== wasDue) return;
    // a commit wakes the outbox, so there is no wait for its next poll
    const look = { $inc: { "payload.looks": 1 }, $setOnInsert: waker };
    await items.updateOne({ _id: "waker" }, look, { upsert: true });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
