/** Keeps secrets out of all logs: values under certain names, and texts of certain forms. */
import pino, { type LoggerOptions } from "pino";

const secretNames = [
  "password",
  "currentPassword",
  "newPassword",
  "token",
  "apiKey",
  "secretAccessKey",
  "openaiApiKey",
  "secret",
  "invite",
  "cookie",
  "authorization",
  '["set-cookie"]',
];
const depth = 4;

/** Returns the paths of a name, such as `password`, `*.password`, `*.*.password`: pino needs a path for each depth. */
function redactionPaths(name: string): string[] {
  return Array.from({ length: depth }, (_, stars) => {
    const above = Array<string>(stars).fill("*").join(".");
    if (name.startsWith("[")) return `${above}${name}`;
    return above === "" ? name : `${above}.${name}`;
  });
}

const secretTexts: readonly [RegExp, string][] = [
  [/sop_pat_\w+/g, "sop_pat_[redacted]"],
  [/\bsk-[\w-]{4,}/g, "sk-[redacted]"],
  [/([?&](?:token|invite)=)[^&\s"']+/g, "$1[redacted]"],
  [/(\bBearer )\S+/gi, "$1[redacted]"],
  [/\bv1\.[\w.-]{1,60}\.[\w-]{16}\.[\w-]+\.[\w-]{22}\b/g, "[sealed]"],
];

/** Replaces texts that have the form of a token, key or encrypted value. */
export function withoutSecrets(text: string): string {
  return secretTexts.reduce((left, [shape, instead]) => left.replaceAll(shape, instead), text);
}

export const redactionOptions = {
  redact: { paths: secretNames.flatMap(redactionPaths), censor: "[redacted]" },
  serializers: {
    err(error: Error) {
      const written = pino.stdSerializers.err(error);
      for (const field of ["message", "stack"] as const) written[field] = withoutSecrets(written[field]);
      return written;
    },
  },
} satisfies LoggerOptions;
