import { describe, expect, it } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { failureOf } from "./exit.ts";

const answered = (message: string): ApiError => new ApiError(503, JSON.stringify({ code: "busy", message }), "");

describe("a server that is busy", () => {
  it("is one line where its message says to try again", () => {
    const message = "The database can't be reached. Try again in a moment.";
    expect(failureOf(answered(message))).toEqual({ exit: 5, problem: { code: "busy", message } });
  });

  it("is followed by what to do where its message doesn't say it", () => {
    const message = "The server is stopping";
    const problem = { code: "busy", message, hint: "try again in a moment" };
    expect(failureOf(answered(message))).toEqual({ exit: 5, problem });
  });
});
