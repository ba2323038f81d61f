/** What callers read of fields that are left out, null or wrong: never the wording of the library that checks them. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fieldsOf, isRaw as hasRawBody, rows, wrongValues } from "../../test/contract-rows.ts";
import { leastBody } from "../../test/least-bodies.ts";
import type { ErrorBody } from "#core/errors.ts";
import { translatedSentenceText } from "#core/language/catalog.ts";
import { setSpokenLanguage } from "#core/language/spoken.ts";
import { toAppError } from "./error-body.ts";
import { parseInput } from "./input-texts.ts";

/** The library's own messages begin so. */
const raw = /^(Invalid|Too (small|big)|Unrecognized|Required)\b|\b(expected|received|undefined|NaN)\b/;
/** Texts of ours that begin so too. */
const ours = new Set(["Invalid email address", "Invalid reset link", "Invalid or expired link"]);

function messages(schema: z.ZodType, value: unknown): [field: string, text: string][] {
  try {
    parseInput(schema, value);
    return [];
  } catch (error) {
    const known = (error as z.ZodError).issues.filter(({ code }) => code !== "unrecognized_keys");
    return known.map(({ path, message }) => [path.join("."), message]);
  }
}

function refusalOf(schema: z.ZodType, value: unknown): Partial<ErrorBody> & { details?: Record<string, string> } {
  try {
    parseInput(schema, value);
    return {};
  } catch (error) {
    const { details, ...body } = toAppError(error).toBody();
    return { ...body, details: details as Record<string, string> };
  }
}

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

test("each has an id, so that a client says it in its language", () => {
  const found = bodies.flatMap(({ name, body }) => {
    const fields = Object.entries(fieldsOf(body));
    const wrong = fields.flatMap(([field, type]) => wrongValues(type).map((value) => ({ [field]: value })));
    return [{}, null, 5, ...wrong, { unknownHere: 1 }].flatMap((value) => {
      const { details = {}, message, reason, reasons } = refusalOf(body, value);
      const withoutId = Object.entries(details).filter(
        ([field, text]) => (text === message ? reason : reasons?.[field]) === undefined,
      );
      return withoutId.map(([field, text]) => `${name} ${field}: ${text}`);
    });
  });
  expect(found).toEqual([]);
  setSpokenLanguage({
    code: "de",
    texts: {
      "server.http.input-texts": {
        field: "„{field}“ {requirement}",
        mostEntries: "darf höchstens {most, plural, one {# Eintrag} other {# Einträge}} haben",
      },
    },
  });
  const { reason } = refusalOf(z.object({ tags: z.array(z.string()).max(2) }), { tags: ["a", "b", "c"] });
  const said = reason && translatedSentenceText(reason);
  setSpokenLanguage({ code: "en", texts: {} });
  expect(said).toBe("„tags“ darf höchstens 2 Einträge haben");
});

test("each refusal is about a field, and a general one names it", () => {
  const values = [null, "", "x".repeat(20_001), -1, 1.5, true, [], [null], {}, [{}], { unknownHere: 1 }];
  const found = rows.flatMap((row) => {
    const { name, schema } = row;
    if (hasRawBody(row)) return [];
    return [schema.body, schema.query].flatMap((part) => {
      if (!part) return [];
      const least = part === schema.body ? (leastBody(row) as object) : {};
      return [...Object.keys({ ...fieldsOf(part), ...least }), "unknownHere"].flatMap((key) =>
        values.flatMap((value) => {
          const { details = {}, message, reason, reasons } = refusalOf(part, { ...least, [key]: value });
          const unnamed = Object.entries(details).filter(([field, text]) => {
            const id = (text === message ? reason : reasons?.[field])?.id;
            return field === "" || (id?.startsWith("server.http.") === true && !text.includes(`“${field}”`));
          });
          return unnamed.map(([field, text]) => `${name} ${field}: ${text}`);
        }),
      );
    });
  });
  expect([...new Set(found)]).toEqual([]);
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
    ["currentPassword", "“currentPassword” is required"],
    ["categoryId", "“categoryId” must have at most 3 characters"],
    ["tags", "“tags” must have at least 1 entry"],
    ["limit", "“limit” must be a number"],
    ["verdict", "“verdict” must be one of keep, revise"],
    ["at", "“at” must be a time such as 2026-01-05T15:04:00Z"],
    ["resolved", "“resolved” can't be empty"],
  ]);
  expect(messages(schema, [])).toEqual([["", "The body must be an object"]]);
  expect(messages(z.object({ rows: z.array(z.object({ sha256: z.string() })) }), { rows: [{ sha256: 5 }] })).toEqual([
    ["rows.0.sha256", "“rows.0.sha256” must be text"],
  ]);
  const numbers = z.object({ size: z.int().min(10).max(2_000), step: z.number().multipleOf(5) });
  expect(messages(numbers, { size: 2_001, step: 3 })).toEqual([
    ["size", "“size” must be at most 2,000"],
    ["step", "“step” must be a multiple of 5"],
  ]);
});
