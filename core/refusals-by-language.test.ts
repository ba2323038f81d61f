import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { ApiError } from "./api/client.ts";
import { issueWithSentence, missingValueError, requiredCleanTextSchema, sentenceError } from "./contract/parts.ts";
import { AppError } from "./errors.ts";
import { sentenceOfMessage, sentences, translatedSentenceText, untranslated } from "./language/catalog.ts";
import { setSpokenLanguage } from "./language/spoken.ts";

const refusals = sentences("test.refusals", {
  number: "number: {reason}",
  taken: "{number} is taken",
  unknown: "This team is not known",
  short: "At least {least} characters",
});

const german = {
  number: "Nummer: {reason}",
  taken: "{number} ist vergeben",
  unknown: "Dieses Team gibt es nicht",
  short: "Mindestens {least} Zeichen",
};

const speakGerman = () =>
  setSpokenLanguage({
    code: "de",
    texts: { "test.refusals": german, "core.errors": { not_found: "Nicht gefunden", invalid_input: "Eingabe prüfen" } },
  });

beforeEach(() => {
  ApiError.sentenceOf = translatedSentenceText;
});
afterEach(() => {
  ApiError.sentenceOf = () => null;
  setSpokenLanguage({ code: "en", texts: {} });
});

/** The error as a client reads it. */
const received = (error: AppError) => new ApiError(error.status, JSON.stringify(error.toBody()), "");

it("a sentence in a sentence is written in the reader's language too", () => {
  const error = new AppError("conflict", refusals.number({ reason: refusals.taken({ number: "QM-01" }) }));
  expect(error.message).toBe("number: QM-01 is taken");
  speakGerman();
  expect(received(error).serverMessage).toBe("Nummer: QM-01 ist vergeben");
});

it("a text without an id stays as it is, alone and in a sentence", () => {
  const error = new AppError("conflict", refusals.number({ reason: untranslated("fatal: no such ref") }));
  speakGerman();
  expect(received(error).serverMessage).toBe("Nummer: fatal: no such ref");
  expect(new AppError("busy", untranslated("ENOENT")).toBody()).toEqual({ code: "busy", message: "ENOENT" });
});

it("a refusal takes no plain text, so each has an id", () => {
  // @ts-expect-error a plain text can't change with the language
  expect(new AppError("busy", "Come back later")).toBeInstanceOf(AppError);
});

it("each field has its own sentence", () => {
  const error = new AppError("invalid_input", refusals.unknown(), {
    teamId: refusals.unknown(),
    number: refusals.taken({ number: "QM-01" }),
    line: 3,
  });
  expect(error.toBody()).toEqual({
    code: "invalid_input",
    message: "This team is not known",
    details: { teamId: "This team is not known", number: "QM-01 is taken", line: 3 },
    reason: { id: "test.refusals.unknown", values: {} },
    reasons: { number: { id: "test.refusals.taken", values: { number: "QM-01" } } },
  });
  expect(received(error).details).toEqual(error.details);
  speakGerman();
  expect(received(error)).toMatchObject({
    serverMessage: "Dieses Team gibt es nicht",
    details: { teamId: "Dieses Team gibt es nicht", number: "QM-01 ist vergeben", line: 3 },
  });
});

it("a refusal without a reason has the sentence of its code", () => {
  speakGerman();
  expect(received(new AppError("not_found")).serverMessage).toBe("Nicht gefunden");
  expect(received(new AppError("busy")).serverMessage).toBe("The server is busy. Try again in a moment");
});

it("a refusal that another process sent is the same one", () => {
  const error = new AppError("invalid_input", refusals.unknown(), { number: refusals.taken({ number: "1" }) });
  expect(AppError.from(error.toBody()).toBody()).toEqual(error.toBody());
  expect(AppError.from(error.toBody()).sentence).toEqual(refusals.unknown());
});

it("an issue of a schema has the sentence's id, and its message is in the reader's language", () => {
  const short = () => refusals.short({ least: 3 });
  const form = z.object({
    name: requiredCleanTextSchema(short, 3),
    team: z.string(missingValueError(refusals.unknown)),
    kind: z.union([z.literal(""), z.literal("all")], sentenceError(refusals.unknown)),
    row: z
      .array(z.string())
      .check(({ value, issues }) => void issues.push(issueWithSentence(refusals.unknown(), value))),
    count: z.int(),
  });
  const found = () =>
    form
      .safeParse({ name: "x", kind: "y", row: [], count: 1.5 })
      .error?.issues.map((issue) => sentenceOfMessage(issue));
  const unknown = { id: "test.refusals.unknown", values: {}, text: "This team is not known" };
  const wanted = [
    { id: "test.refusals.short", values: { least: 3 }, text: "At least 3 characters" },
    unknown,
    unknown,
    unknown,
    { text: "Invalid input: expected int, received number" },
  ];
  expect(found()).toEqual(wanted);
  // a schema alone has no path
  expect(
    sentenceOfMessage(requiredCleanTextSchema(short, 3).safeParse("x").error?.issues[0] as z.core.$ZodIssue),
  ).toEqual(wanted[0]);
  speakGerman();
  expect(
    found()
      ?.map(({ text }) => text)
      .slice(0, 2),
  ).toEqual(["Mindestens 3 Zeichen", "Dieses Team gibt es nicht"]);
});
