import pino from "pino";
import { expect, test } from "vitest";
import { redactionOptions, withoutSecrets } from "./log-redaction.ts";

function logged(entry: object): string {
  const lines: string[] = [];
  pino({ ...redactionOptions, level: "trace" }, { write: (line: string) => void lines.push(line) }).info(entry, "x");
  return lines.join("");
}

const secret = "Zq3vXw8LpR5tNc7m";

test.each([
  { password: secret },
  { body: { currentPassword: secret, newPassword: secret } },
  { req: { headers: { cookie: `sid=${secret}`, authorization: `Bearer ${secret}`, "set-cookie": [secret] } } },
  { a: { b: { token: secret, apiKey: secret } } },
  { user: { openaiApiKey: secret } },
  { config: { assetStore: { secretAccessKey: secret } } },
  { err: new Error(`no such token: sop_pat_${secret}`) },
  { err: new Error(`GET /reset-password?token=${secret}&x=1 failed`) },
  { err: new Error(`GET /register?invite=${secret}`) },
  { err: new Error(`Incorrect API key provided: sk-proj-${secret}`) },
  { err: Object.assign(new Error("x"), { headers: { authorization: secret } }) },
  { err: new Error("outer", { cause: new Error(`sk-${secret}`) }) },
])("%j holds no secret in the log", (entry) => {
  const line = logged(entry);
  expect(line).not.toContain(secret);
  expect(line).toMatch(/redacted/);
});

test("text without secrets stays as it is", () => {
  const text = "GET /api/sops?search=task-list&limit=5 of v1.2.3 took 3 ms, desk-bound";
  expect(withoutSecrets(text)).toBe(text);
  expect(logged({ path: "/api/sops", ms: 3 })).toContain('"path":"/api/sops","ms":3');
});
