import { describe, expect, it } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { AppError } from "#core/errors.ts";
import { untranslated } from "#core/language/catalog.ts";
import { failureOf } from "./exit.ts";

const answered = (message: string, details?: object): ApiError =>
  new ApiError(503, JSON.stringify({ code: "busy", message, details }), "");

describe("a server that is busy", () => {
  it("is one line where its message says to try again", () => {
    const message = "The database can't be reached. Try again in a moment.";
    expect(failureOf(answered(message))).toEqual({ exit: 5, problem: { code: "busy", message } });
  });

  it("is one line in another language too", () => {
    const message = "Die Datenbank ist nicht erreichbar. Versuche es gleich noch einmal.";
    expect(failureOf(answered(message))).toEqual({ exit: 5, problem: { code: "busy", message } });
  });

  it("is followed by what to do where its message leaves that to the answer's seconds", () => {
    const problem = {
      code: "busy",
      message: "Search is getting ready: retryAfterSeconds: 5",
      hint: "try again in a moment",
    };
    expect(failureOf(answered("Search is getting ready", { retryAfterSeconds: 5 }))).toEqual({ exit: 5, problem });
  });

  it("names the file that a refusal is about", () => {
    const error = new AppError("invalid_input", untranslated("It is not a text file"), { path: "a.md" });
    expect(failureOf(error).problem).toEqual({ code: "invalid_input", message: "It is not a text file", path: "a.md" });
  });
});
