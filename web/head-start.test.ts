import { afterEach, expect, it, vi } from "vitest";
import { startRead, takeStarted } from "./head-start.ts";
import { protectedScreens, publicScreens, screenAt } from "./screens.ts";

const fetched = vi.fn((_url: string) => Promise.resolve(new Response("{}")));
vi.stubGlobal("fetch", fetched);
afterEach(() => {
  vi.useRealTimers();
  fetched.mockClear();
});

it("serves one request with an answer that was asked for early, and no second one", async () => {
  await startRead("/api/auth/check");
  expect(await (await takeStarted("/api/auth/check"))?.json()).toEqual({});
  expect(takeStarted("/api/auth/check")).toBeUndefined();
  expect(takeStarted("/api/auth/me")).toBeUndefined();
});

it("hands a failure to who takes it", async () => {
  fetched.mockImplementationOnce(() => Promise.reject(new TypeError("no network")));
  await expect(startRead("/api/stats")).rejects.toThrow("no network");
  await expect(takeStarted("/api/stats")).rejects.toThrow("no network");
});

it("does not keep an answer that nobody took at once", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await startRead("/api/stats");
  vi.advanceTimersByTime(10_001);
  expect(takeStarted("/api/stats")).toBeUndefined();
});

it.each([
  ["/", "/"],
  ["/sops", "/sops"],
  ["/SOPs/", "/sops"],
  ["/sop/new", "/sop/new"],
  ["/sop/7a/edit", "/sop/:id/edit"],
  ["/sop/7a", "/sop/:id"],
  ["/admin/companies/7a/users", "/admin/companies/:id/users"],
  ["/nowhere", undefined],
  ["/login", undefined],
])("%s is the screen %s", (pathname, path) => {
  expect(screenAt(protectedScreens, pathname)?.path).toBe(path);
});

it("knows the screens that need no session", () => {
  expect(screenAt(publicScreens, "/login")?.path).toBe("/login");
  expect(screenAt(publicScreens, "/")).toBeUndefined();
});
