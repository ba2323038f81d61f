import type { Rule } from "../rule.ts";
import { sentences } from "#core/language/catalog.ts";

const texts = sentences("core.lint.text/secret", {
  why: "Everyone who can read the SOP, its history and its exports could use it.",
  key: "This looks like {what}: remove it and change it",
  password: "This looks like a password or key: remove it and change it",
  aws: "an AWS access key",
  private: "a private key",
  gitHub: "a GitHub token",
  gitLab: "a GitLab token",
  slack: "a Slack token",
  api: "an API key",
  access: "an access token",
  signed: "a signed token",
});

const keys = [
  { pattern: /\bAKIA[0-9A-Z]{16}\b/g, what: texts.aws },
  { pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g, what: texts.private },
  { pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})/g, what: texts.gitHub },
  { pattern: /\bglpat-[\w-]{20,}/g, what: texts.gitLab },
  { pattern: /\bxox[abprs]-[\w-]{10,}/g, what: texts.slack },
  { pattern: /\bsk-(?:[a-z]+-)?[A-Za-z0-9_]{20,}/g, what: texts.api },
  { pattern: /\bsop_pat_\w{16,}/g, what: texts.access },
  { pattern: /(?<![\w/])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g, what: texts.signed },
] as const;

const assignment =
  /\b(?:password|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?token)["']?[ \t]*[:=][ \t]*["'`]?([^\s"'`,;]{8,})/gi;
const placeholderValue =
  /[<>{}$*•…]|x{3}|\.{3}|^(?:your|example|changeme|placeholder|password|secret|redacted|https?:)/i;

/** A document contains no passwords and keys. */
export const secret: Rule = {
  id: "text/secret",
  severity: "error",
  fixable: "no",
  source: "ISO 27001 A.5.17; house",
  why: texts.why(),
  create: ({ text, report }) => ({
    done() {
      for (const { pattern, what } of keys) {
        for (const match of text.matchAll(pattern)) {
          report(texts.key({ what: what() }), {
            start: match.index,
            end: match.index + match[0].length,
          });
        }
      }
      for (const match of text.matchAll(assignment)) {
        const value = match[1] ?? "";
        if (!isSecret(value)) continue;
        const end = match.index + match[0].length;
        report(texts.password(), { start: end - value.length, end });
      }
    },
  }),
  good: [
    "Password: see the vault\n\nAPI_KEY=<your-key>\n\npassword: ********\n",
    "Choose a password: at least 12 characters.\n",
  ],
  bad: [
    { text: "Log in with password: Tr0ub4dor3x\n", lines: [1] },
    { text: "```\nAWS_KEY=AKIAABCDEFGHIJKLMNOP\n```\n", lines: [2] },
    { text: "Use `-----BEGIN RSA PRIVATE KEY-----`\n", lines: [1] },
  ],
};

/** A value counts as a password if it has a digit and a letter and isn't a placeholder. Plain words don't count. */
function isSecret(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !placeholderValue.test(value);
}
