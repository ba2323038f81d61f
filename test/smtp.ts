/** A mail server on loopback for tests: it accepts emails, and fails in the ways that real ones do. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

export interface TakenMail {
  to: string;
  /** The bytes after DATA, without the final dot. */
  raw: string;
  messageId: string;
}

export interface SmtpServer {
  url: string;
  /** The emails in the order of acceptance. */
  taken: TakenMail[];
  /** The number of open connections, and the most at one time. */
  connections(): { open: number; most: number };
  stop(): Promise<void>;
}

export interface SmtpBehavior {
  /** True to send nothing after the connection is made. */
  mute?: boolean;
  /** Delays the answer after the text was received. */
  beforeAnswer?(mail: TakenMail): Promise<unknown>;
  /** Accepts the email, and closes the connection instead of answering. */
  hangUpAfterTaking?(mail: TakenMail): boolean;
  /** The answer in place of `250 taken`. */
  answer?: string;
  /** Recipients that it rejects. */
  unknown?: readonly string[];
}

export async function startSmtp(behavior: SmtpBehavior = {}): Promise<SmtpServer> {
  const taken: TakenMail[] = [];
  const sockets = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (!behavior.mute) converse(socket, behavior, taken);
  });
  await listen(server);
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
    taken,
    connections: () => ({ open: sockets.size, most }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A mail server that stores emails like a server without one: as plain text in `DATA_DIR/mail`. */
export async function startMailbox(dataDir: string): Promise<SmtpServer> {
  const dir = path.join(dataDir, "mail");
  let count = 0;
  return startSmtp({
    async beforeAnswer({ raw }) {
      const file = path.join(dir, `${String(count++).padStart(6, "0")}.eml`);
      // a test may have emptied the mailbox
      await mkdir(dir, { recursive: true });
      await writeFile(file, plain(raw));
    },
  });
}

/** The bytes of an email with its text decoded, as far as our texts need it. */
function plain(raw: string): Buffer {
  const [head = "", ...text] = raw.split("\r\n\r\n");
  const body = text.join("\r\n\r\n");
  const decoded = /^Content-Transfer-Encoding: quoted-printable/im.test(head)
    ? body
        .replaceAll(/=\r\n/g, "")
        .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    : body;
  return Buffer.from(`${head}\r\n\r\n${decoded}`.replaceAll("\r\n", "\n"), "latin1");
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}

function converse(socket: Socket, behavior: SmtpBehavior, taken: TakenMail[]): void {
  const say = (line: string) => void (socket.destroyed || socket.write(`${line}\r\n`));
  let unread = "";
  let to = "";
  let text: string[] | null = null;

  async function take(lines: readonly string[]): Promise<void> {
    const raw = lines.map((line) => line.replace(/^\./, "")).join("\r\n");
    const mail = { to, raw, messageId: /^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim() ?? "" };
    await behavior.beforeAnswer?.(mail);
    taken.push(mail);
    if (behavior.hangUpAfterTaking?.(mail)) socket.destroy();
    else say(behavior.answer ?? "250 taken");
  }

  function command(line: string): void {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === "EHLO") return say("250-loopback\r\n250 8BITMIME");
    if (verb === "RCPT") {
      to = /<(.*)>/.exec(line)?.[1] ?? "";
      return say(behavior.unknown?.includes(to) ? "550 no such user" : "250 ok");
    }
    if (verb === "DATA") {
      text = [];
      return say("354 go on");
    }
    say(verb === "QUIT" ? "221 bye" : "250 ok");
  }

  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    unread += chunk;
    for (let end = unread.indexOf("\r\n"); end >= 0; end = unread.indexOf("\r\n")) {
      const line = unread.slice(0, end);
      unread = unread.slice(end + 2);
      if (text === null) command(line);
      else if (line !== ".") text.push(line);
      else {
        void take(text);
        text = null;
      }
    }
  });
  say("220 loopback");
}
