/** Sends emails by SMTP or, without SMTP_URL, writes them as `.eml` files to `DATA_DIR/mail`. */
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { connectionFault } from "../foreign-failure.ts";
import { PermanentFailure } from "../jobs/outbox.ts";
import type { Mail } from "./compose.ts";

export interface Delivery {
  /** A UUID that names the email. It becomes the Message-ID and the file's name, so that a repeat is the same email. */
  id: string;
  /** ISO time of the order. */
  at: string;
  /** Aborts the sending when the server stops. */
  signal?: AbortSignal;
}

export type SendMail = (mail: Mail, delivery: Delivery) => Promise<void>;

/**
 * Timeouts in milliseconds. A mail server that scans emails may answer only after a minute. A shorter timeout would
 * send the email twice.
 */
export const smtpTimeouts = { connection: 15_000, greeting: 30_000, silence: 120_000, total: 300_000 } as const;
export type SmtpTimeouts = Readonly<Record<keyof typeof smtpTimeouts, number>>;

/** Creates the function that sends an email, or writes it as a file if the settings name no mail server. */
export function createMailer(
  config: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">,
  log: Pick<Logger, "info">,
  timeouts: SmtpTimeouts = smtpTimeouts,
): SendMail {
  const { smtpUrl, mailFrom: from } = config;
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? "localhost";
  const fieldsOf = ({ to, subject }: Mail, { id }: Delivery) => ({
    from,
    // an address in an object is never parsed as a list of addresses
    to: { name: "", address: to },
    subject,
    messageId: `<${id}@${domain}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  });
  if (smtpUrl !== null) {
    return async (mail, delivery) => {
      const fields = { ...fieldsOf(mail, delivery), text: mail.text };
      await sendBySmtp(smtpUrl, fields, timeouts, delivery.signal);
      log.info({ messageId: fields.messageId }, "email sent");
    };
  }
  const dir = path.join(config.dataDir, "mail");
  return async (mail, delivery) => {
    const message = await emailFileText(fieldsOf(mail, delivery), mail.text);
    // the folder is private, because links in the emails sign people in
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const file = path.join(dir, `${delivery.at.replaceAll(/[:.]/g, "-")}-${delivery.id}.eml`);
    await writeFile(`${file}.tmp`, message, { mode: 0o600 });
    await rename(`${file}.tmp`, file);
    log.info({ file }, "email written");
  };
}

interface MailFields {
  from: string;
  to: { name: string; address: string };
  subject: string;
  messageId: string;
  headers: Record<string, string>;
}

const headerWriter = createTransport({ streamTransport: true, buffer: true, newline: "unix" });

/**
 * Returns the text of an email as a file, in unchanged UTF-8: people copy links from these files, and quoted-printable
 * would break them.
 */
async function emailFileText(fields: MailFields, text: string): Promise<string> {
  const { message } = await headerWriter.sendMail({ ...fields, text: " " });
  const [head = ""] = (message as Buffer).toString("utf8").split("\n\n", 1);
  return `${head.replace(/^(Content-Transfer-Encoding): .*$/m, "$1: 8bit")}\n\n${text}`;
}

/**
 * Sends an email by SMTP.
 * @throws PermanentFailure when the server refuses the recipient; otherwise an error after which a later attempt can
 * succeed
 */
async function sendBySmtp(
  url: string,
  mail: MailFields & { text: string },
  timeouts: SmtpTimeouts,
  stopped: AbortSignal | undefined,
): Promise<void> {
  const deadline = AbortSignal.timeout(timeouts.total);
  const transport = createTransport({
    url,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    socketCloseTimeout: 0,
  });
  try {
    await transport.sendMail({ ...mail, signal: stopped ? AbortSignal.any([deadline, stopped]) : deadline });
  } catch (error) {
    if (isRecipientRefusal(error))
      throw new PermanentFailure(`the mail server refused the recipient: ${error.message}`);
    throw deadline.aborted ? new Error("the mail server took too long", { cause: error }) : explainMailError(error);
  }
}

/**
 * Returns an error that explains a failed connection. An error with an answer of the mail server is returned unchanged.
 */
function explainMailError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { responseCode } = error as { responseCode?: number };
  const fault = responseCode === undefined ? connectionFault(error) : null;
  return fault === null
    ? error
    : new Error(`the mail server of SMTP_URL does not answer as it should: ${fault}`, { cause: error });
}

function isRecipientRefusal(error: unknown): error is Error {
  const { command, responseCode } = error as { command?: string; responseCode?: number };
  return error instanceof Error && command === "RCPT TO" && (responseCode ?? 0) >= 500;
}
