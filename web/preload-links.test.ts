import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { preloadOnHover, preloadWhenIdle } from "./preload-links.ts";
import { preloadScreen, protectedScreens } from "./screens.ts";

const preload = vi.fn();
preloadOnHover(preload);

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `
    <a href="/settings"><b>Settings</b></a> <a href="/sop/7a">An SOP</a> <a href="https://example.org/">Away</a>
    <p tabindex="0">Text</p>`;
});
afterEach(() => {
  vi.useRealTimers();
  preload.mockReset();
  Reflect.deleteProperty(navigator, "connection");
});

function point(selector: string, event = "pointerover") {
  document.querySelector(selector)?.dispatchEvent(new Event(event, { bubbles: true }));
}

it.each(["pointerover", "focusin"])("loads where a link leads that was rested on, once (%s)", (event) => {
  point("p", event);
  point("b", event);
  vi.advanceTimersByTime(79);
  expect(preload).not.toHaveBeenCalled();
  // within the same link
  point('[href="/settings"]', event);
  vi.advanceTimersByTime(1);
  expect(preload.mock.calls).toEqual([["/settings"]]);
  vi.advanceTimersByTime(1_000);
  expect(preload).toHaveBeenCalledTimes(1);
});

it("loads nothing for links passed by, other sites, and who saves data", () => {
  point("b");
  vi.advanceTimersByTime(50);
  point("p");
  vi.advanceTimersByTime(1_000);
  point('[href^="https"]');
  vi.advanceTimersByTime(1_000);
  Object.defineProperty(navigator, "connection", { configurable: true, value: { saveData: true } });
  point("b");
  preloadWhenIdle(preload);
  vi.advanceTimersByTime(10_000);
  expect(preload).not.toHaveBeenCalled();
});

it("loads the next screen's code and reads nothing of it", async () => {
  const fetched = vi.spyOn(globalThis, "fetch");
  const loads = protectedScreens.map((screen) => vi.spyOn(screen, "load"));
  preload.mockImplementation(preloadScreen);
  point('[href="/sop/7a"]');
  vi.advanceTimersByTime(80);
  await preload.mock.results[0]?.value;
  const loaded = protectedScreens.filter((_, at) => loads[at]?.mock.calls.length).map(({ path }) => path);
  expect(loaded).toEqual(["/sop/:id"]);
  expect(fetched).not.toHaveBeenCalled();
});

it("loads when the browser is idle, once the screen is there, unless it is left before", () => {
  const idle = vi.fn((run: () => void) => run());
  vi.stubGlobal("requestIdleCallback", idle);
  const stop = preloadWhenIdle(preload);
  vi.advanceTimersByTime(1_999);
  stop();
  vi.advanceTimersByTime(5_000);
  expect(preload).not.toHaveBeenCalled();
  preloadWhenIdle(preload);
  vi.advanceTimersByTime(2_000);
  expect(idle).toHaveBeenCalledTimes(1);
  expect(preload).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
  // a browser that does not say when it is idle
  preloadWhenIdle(preload);
  vi.advanceTimersByTime(2_100);
  expect(preload).toHaveBeenCalledTimes(2);
});
