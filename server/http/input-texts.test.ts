/** What callers read of fields that are left out, null or wrong: never the wording of the library that checks them. */
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sentenceOfIssue } from "#core/contract/parts.ts";
import { spokenText } from "#core/language/catalog.ts";
import { english, setSpokenLanguage, type Language } from "#core/language/spoken.ts";
import { englishTexts } from "../../bin/texts.ts";
import { fieldsOf, rows, wrongValues } from "../../test/contract-rows.ts";
import { pseudoTree } from "../../test/pseudo-language.ts";
import { parseInput } from "./input-texts.ts";

afterEach(() => setSpokenLanguage(english));

/** The library's own messages begin so. */
const raw = /^(Invalid|Too (small|big)|Unrecognized|Required)\b|\b(expected|received|undefined|NaN)\b/;
/** Texts of ours that begin so too. */
const ours = new Set(["Invalid email address", "Invalid reset link", "Invalid or expired link"]);

function issuesOf(schema: z.ZodType, value: unknown): z.core.$ZodIssue[] {
  try {
    parseInput(schema, value);
    return [];
  } catch (error) {
    return (error as z.ZodError).issues;
  }
}

const messages = (schema: z.ZodType, value: unknown): [field: string, text: string][] =>
  issuesOf(schema, value)
    .filter(({ code }) => code !== "unrecognized_keys")
    .map(({ path, message }) => [path.join("."), message]);

const isRaw = (text: string) => raw.test(text) && !ours.has(text) && !text.startsWith("Invalid Key: ");

const bodies = rows.flatMap(({ name, schema }) => (schema.body ? [{ name, body: schema.body }] : []));

describe("errors of inputs use our own texts for", () => {
  test.each(bodies)("$name: fields left out, null and of another type", ({ name, body }) => {
    const fields = Object.entries(fieldsOf(body));
    const wrong = fields.flatMap(([field, type]) => wrongValues(type).map((value) => ({ [field]: value })));
    const nulls = fields.map(([field]) => ({ [field]: null }));
    for (const value of [{}, null, [], "text", 5, ...nulls, ...wrong]) {
      const found = messages(body, value).filter(([, text]) => isRaw(text) || text === "");
      expect([name, value, found]).toEqual([name, value, []]);
    }
  });

  test("parameters and queries", () => {
    for (const { name, schema } of rows) {
      for (const part of [schema.params, schema.query]) {
        if (!part) continue;
        const fields = Object.entries(fieldsOf(part));
        const wrong = fields.flatMap(([field, type]) => wrongValues(type).map((value) => ({ [field]: value })));
        for (const value of [{}, ...wrong]) {
          expect([name, value, messages(part, value).filter(([, text]) => isRaw(text))]).toEqual([name, value, []]);
        }
      }
    }
  });
});

/** Where a field that is left out, or null, has a text of its own. */
const texts: readonly [row: string, field: string, text: string][] = [
  ["sops.create", "title", "Title is required"],
  ["sops.create", "description", "Description is required"],
  ["categories.create", "name", "Name is required"],
  ["auth.register", "username", "Username must be at least 3 characters"],
  ["auth.register", "password", "Password must be at least 6 characters long"],
  ["auth.register", "name", "Name must be at least 2 characters"],
  ["auth.setup", "password", "Password must be at least 6 characters long"],
  ["account.changePassword", "newPassword", "Password must be at least 6 characters long"],
  ["auth.resetPassword", "token", "Invalid reset link"],
  ["auth.confirmEmail", "token", "Invalid or expired link"],
  ["auth.forgotPassword", "email", "Invalid email address"],
  ["companies.create", "name", "Company name must be at least 2 characters"],
  ["companies.create", "slug", "Slug must be at least 2 characters"],
  ["adminUsers.create", "username", "Username must be at least 3 characters"],
  ["adminUsers.create", "name", "Name must be at least 2 characters"],
  ["settings.testApiKey", "apiKey", "Invalid Key: Please enter a valid API key to test."],
  ["sops.preview", "markdown", "Content is required"],
  ["sops.check", "markdown", "Content is required"],
  ["sops.check", "title", "Title is required"],
  ["sops.check", "description", "Description is required"],
  ["sops.requestApproval", "approverIds", "Select at least one approver"],
  ["comments.create", "content", "Write a comment first"],
];

test.each(texts)("%s: %s left out or null gets its own text", (row, field, text) => {
  const body = bodies.find(({ name }) => name === row)?.body;
  if (!body) throw new Error(`${row} takes no body`);
  for (const value of [{}, { [field]: null }]) {
    const about = messages(body, value).filter(([path]) => path === field);
    expect([value, about]).toEqual([value, [[field, text]]]);
  }
});

test.each([
  ["content", "Content is required"],
  ["markdown", "Content is required"],
  ["status", "Status is required"],
])("an SOP's %s that is null is required", (field, text) => {
  const body = bodies.find(({ name }) => name === "sops.update")?.body;
  expect(body && messages(body, { [field]: null })).toEqual([[field, text]]);
});

test("other texts name the field and what it takes", () => {
  const schema = z.strictObject({
    currentPassword: z.string(),
    categoryId: z.string().max(3),
    tags: z.array(z.string()).min(1),
    limit: z.coerce.number().int().max(200),
    verdict: z.enum(["keep", "revise"]),
    at: z.iso.datetime(),
    resolved: z.boolean(),
  });
  const wrong = { categoryId: "four", tags: [], limit: "many", verdict: "burn", at: "soon", resolved: null };
  expect(messages(schema, wrong)).toEqual([
    ["currentPassword", "Current password is required"],
    ["categoryId", "Category must have at most 3 characters"],
    ["tags", "Tags must have at least 1 entry"],
    ["limit", "Limit must be a number"],
    ["verdict", "Verdict must be one of keep, revise"],
    ["at", "At must be a time such as 2026-01-05T15:04:00Z"],
    ["resolved", "Resolved can't be empty"],
  ]);
  expect(messages(schema, [])).toEqual([["", "The body must be an object"]]);
});

test("other texts are sentences, which a client can say in its language", () => {
  const schema = z.strictObject({
    name: z.string().min(2),
    kind: z.enum(["a", "b"]),
    size: z.int().max(9),
    at: z.iso.date(),
  });
  const issues = issuesOf(schema, { name: "x", kind: "c", size: 10 });
  setSpokenLanguage({ code: "en-XA", texts: pseudoTree(englishTexts("server/http")) as Language["texts"] });
  expect(issues.map((issue) => spokenText(sentenceOfIssue(issue)))).toEqual([
    "⟦Name ⟦múst hávé át léást 2 cháráctérs⟧⟧",
    "⟦Kind ⟦múst bé óné óf a, b⟧⟧",
    "⟦Size ⟦múst bé át móst 9⟧⟧",
    "⟦At ⟦ís réqúíréd⟧⟧",
  ]);
});
