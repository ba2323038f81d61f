/** The cache rule of `docs/spec/screens.md`, on the client that the application makes. */
import { focusManager, MutationObserver, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryClient } from "./api.ts";

const day = 86_400_000;

describe("the check of who is signed in", () => {
  const key = ["auth", "check"];
  it("keeps where the events were when it is asked again, and of another user what is new", () => {
    const queries = createQueryClient();
    const answers = [
      { userId: null, eventSeq: null },
      { userId: "ann", eventSeq: "first" },
      { userId: "ann", eventSeq: "later", registration: "closed" },
      { userId: "bob", eventSeq: "his" },
    ];
    const kept = answers.map((answer) => queries.setQueryData(key, answer));
    expect(kept).toEqual([answers[0], answers[1], { ...answers[2], eventSeq: "first" }, answers[3]]);
  });
});

describe("the client's data cache", () => {
  let queries = createQueryClient();
  const shown: (() => void)[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    queries = createQueryClient();
    queries.mount();
  });
  afterEach(() => {
    for (const leave of shown.splice(0)) leave();
    queries.unmount();
    focusManager.setFocused(undefined);
    vi.useRealTimers();
  });

  async function show(ask: () => Promise<unknown>) {
    shown.push(new QueryObserver(queries, { queryKey: ["one"], queryFn: ask }).subscribe(() => {}));
    await vi.advanceTimersByTimeAsync(0);
  }

  it("is fresh for ever: shown again a day later, nothing is asked again", async () => {
    const ask = vi.fn(async () => "answer");
    await show(ask);
    await vi.advanceTimersByTimeAsync(day);
    await show(ask);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("polls nothing while it is on screen", async () => {
    const ask = vi.fn(async () => "answer");
    await show(ask);
    await vi.advanceTimersByTimeAsync(day);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("is not fetched again when the window gets the focus", async () => {
    const ask = vi.fn(async () => "answer");
    await show(ask);
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("retries neither a read nor a write", async () => {
    const fail = vi.fn(async () => Promise.reject(new Error("no")));
    await show(fail);
    await vi.advanceTimersByTimeAsync(day);
    expect(fail).toHaveBeenCalledTimes(1);
    const write = new MutationObserver(queries, { mutationFn: fail }).mutate();
    await expect(write).rejects.toThrow("no");
    await vi.advanceTimersByTimeAsync(day);
    expect(fail).toHaveBeenCalledTimes(2);
  });
});
