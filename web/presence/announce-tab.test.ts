import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { presenceIntervalMs, presenceIdleMs, type PresenceState } from "#core/presence/rules.ts";
import { startAnnouncingTab, type Announcement } from "./announce-tab.ts";

let visibility: DocumentVisibilityState = "visible";
const show = (state: DocumentVisibilityState) => {
  visibility = state;
  document.dispatchEvent(new Event("visibilitychange"));
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const move = () => window.dispatchEvent(new Event("pointermove"));

let said: PresenceState[];
const running: Announcement[] = [];

/** @param answer the server's answer to it */
function begin(answer: (state: PresenceState) => Promise<void> = async () => undefined): Announcement {
  said = [];
  const announcing = startAnnouncingTab((state) => {
    said.push(state);
    return answer(state);
  });
  running.push(announcing);
  return announcing;
}

beforeEach(() => {
  vi.useFakeTimers();
  visibility = "visible";
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => visibility });
});

afterEach(() => {
  for (const announcing of running.splice(0)) announcing.stop(false);
  vi.useRealTimers();
  Reflect.deleteProperty(document, "visibilityState");
});

describe("a tab with an edit screen", () => {
  it("says that it is there at once, again every 20 seconds, and that it goes", async () => {
    const announcing = begin();
    await pass(0);
    expect(said).toEqual(["here"]);
    await pass(3 * presenceIntervalMs);
    expect(said).toEqual(["here", "here", "here", "here"]);
    announcing.stop(true);
    await pass(10 * presenceIntervalMs);
    expect(said.slice(4)).toEqual(["gone"]);
  });

  it("falls silent without typing or pointing, and reports again at the first of them", async () => {
    begin();
    await pass(presenceIdleMs + presenceIntervalMs);
    expect(said.at(-1)).toBe("gone");
    const before = said.length;
    await pass(presenceIdleMs);
    expect(said).toHaveLength(before);
    move();
    await pass(0);
    expect(said.slice(before)).toEqual(["here"]);
    move();
    await pass(presenceIntervalMs);
    expect(said.slice(before)).toEqual(["here", "here"]);
  });

  it("reports that it is hidden, but not a quick look at another tab", async () => {
    begin();
    await pass(0);
    show("hidden");
    await pass(1_000);
    show("visible");
    await pass(10_000);
    expect(said).toEqual(["here"]);
    show("hidden");
    await pass(6_000);
    expect(said.slice(1)).toEqual(["hidden"]);
    show("visible");
    await pass(0);
    expect(said.slice(1)).toEqual(["hidden", "here"]);
  });

  it("hidden for long it says nothing more, until it is looked at again", async () => {
    begin();
    show("hidden");
    await pass(presenceIdleMs + presenceIntervalMs);
    expect(said.at(-1)).toBe("gone");
    const before = said.length;
    await pass(presenceIdleMs);
    expect(said).toHaveLength(before);
    show("visible");
    await pass(0);
    expect(said.slice(before)).toEqual(["here"]);
  });

  it("says goodbye as its page goes, and comes back with it", async () => {
    begin();
    await pass(0);
    window.dispatchEvent(new Event("pagehide"));
    expect(said).toEqual(["here", "gone"]);
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    await pass(0);
    expect(said).toEqual(["here", "gone", "here"]);
  });

  it.each([401, 403, 404])("asks no more once it was refused with %i", async (status) => {
    const announcing = begin(() => Promise.reject(new ApiError(status, "", "")));
    await pass(10 * presenceIntervalMs);
    announcing.stop(true);
    await pass(0);
    expect(said).toEqual(["here"]);
  });

  it("tries again after a failure on the way", async () => {
    begin(() => Promise.reject(new TypeError("fetch failed")));
    await pass(2 * presenceIntervalMs);
    expect(said).toEqual(["here", "here", "here"]);
  });

  it("waits for an answer that is slow", async () => {
    begin(() => new Promise(() => undefined));
    await pass(10 * presenceIntervalMs);
    expect(said).toEqual(["here"]);
  });

  it("says nothing when another user, or none, is signed in", async () => {
    const announcing = begin();
    await pass(0);
    announcing.stop(false);
    await pass(presenceIntervalMs);
    expect(said).toEqual(["here"]);
  });

  it("what it says last is what holds, however slow the answers", async () => {
    const answers: (() => void)[] = [];
    const announcing = begin(() => new Promise((resolve) => answers.push(resolve)));
    await pass(0);
    announcing.stop(true);
    await pass(0);
    expect(said).toEqual(["here"]);
    answers[0]?.();
    await pass(0);
    expect(said).toEqual(["here", "gone"]);
  });
});
