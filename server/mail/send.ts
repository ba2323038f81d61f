/** Mails leave by SMTP, or, without SMTP_URL, lie as `.eml` files in `DATA_DIR/mail`. */
import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import type { Config } from "../config.ts";
import type { Mail } from "./compose.ts";

export type SendMail = (mail: Mail) => Promise<void>;

export function createMailer(config: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">): SendMail {
  const from = config.mailFrom;
  if (config.smtpUrl !== null) {
    const transport = createTransport(config.smtpUrl, { from });
    return async (mail) => void (await transport.sendMail(mail));
  }
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "unix" }, { from });
  const dir = path.join(config.dataDir, "mail");
  return async (mail) => {
    const { message } = await transport.sendMail(mail);
    // links in there sign somebody in
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const file = path.join(dir, `${new Date().toISOString().replaceAll(/[:.]/g, "-")}-${randomUUID().slice(0, 8)}.eml`);
    await writeFile(`${file}.tmp`, message as Buffer, { mode: 0o600 });
    await rename(`${file}.tmp`, file);
  };
}
