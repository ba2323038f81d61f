import { describe, expect, it } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { errorTable, type ErrorCode } from "#core/errors.ts";
import { aiFailureOf } from "./ai-failure.ts";

const codes = Object.keys(errorTable) as ErrorCode[];
const aiCodes = codes.filter((code) => code.startsWith("ai_"));
const refused = (code: ErrorCode, message: string, details?: unknown) =>
  aiFailureOf(new ApiError(errorTable[code].status, JSON.stringify({ code, message, details }), ""), "Fallback.");

describe("what an AI failure says to the user", () => {
  it.each(aiCodes.filter((code) => code !== "ai_key_missing"))("%s: the server's own words", (code) => {
    expect(refused(code, "What happened.").text).toBe("What happened.");
  });

  it("a missing key has the seed's words, not the server's", () => {
    const text = "OpenAI API key not configured. Please set OPENAI_API_KEY in your environment.";
    expect(refused("ai_key_missing", "No key").text).toBe(text);
  });

  it("leads to the key's settings where a key is the matter", () => {
    expect(codes.filter((code) => refused(code, "x").isAboutKey).toSorted()).toEqual([
      "ai_key_missing",
      "ai_key_rejected",
    ]);
  });

  it("a company's limit and a refused request speak for themselves; a fault of the server's has the screen's text", () => {
    expect(refused("limit_reached", "No more SOPs").text).toBe("No more SOPs");
    expect(refused("invalid_input", "Say what the SOP is about").text).toBe("Say what the SOP is about");
    expect(refused("internal", "Something went wrong on the server").text).toBe("Fallback.");
    expect(refused("ai_timeout", "").text).toBe("Fallback.");
    expect(aiFailureOf(new TypeError("Failed to fetch"), "Fallback.").text).toBe("Fallback.");
    expect(aiFailureOf(new ApiError(502, "<html>Bad gateway", "Bad Gateway"), "Fallback.").text).toBe("Fallback.");
  });

  it("knows when to try again, if the server says so", () => {
    const before = Date.now();
    const at = refused("ai_rate_limited", "Later", { retryAfterSeconds: 30 }).retryAt ?? 0;
    expect(at - before).toBeGreaterThanOrEqual(30_000);
    expect(at - Date.now()).toBeLessThanOrEqual(30_000);
    expect(refused("ai_rate_limited", "Later").retryAt).toBeNull();
    expect(refused("ai_rate_limited", "Later", { retryAfterSeconds: "soon" }).retryAt).toBeNull();
  });
});
