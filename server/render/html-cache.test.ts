import { expect, it } from "vitest";
import { createHtmlCache } from "./html-cache.ts";

it("renders once, forgets the least recently used, and never keeps a failure", async () => {
  const cache = createHtmlCache(10);
  const rendered: string[] = [];
  const render = (text: string) => (): Promise<string> => {
    rendered.push(text);
    return Promise.resolve(text);
  };
  for (const text of ["aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb"]) await cache.get(text, "north", render(text));
  expect(rendered).toEqual(["aaaa", "bbbb", "cccc", "bbbb"]);

  await expect(cache.get("dddd", "north", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await expect(cache.get("dddd", "north", render("dddd"))).resolves.toBe("dddd");
});

it("shares one rendering between the calls of one company, never of two", async () => {
  const cache = createHtmlCache(100);
  let times = 0;
  const slow = async (): Promise<string> => {
    times += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return "html";
  };
  await expect(
    Promise.all([cache.get("a", "north", slow), cache.get("a", "north", slow), cache.get("a", "south", slow)]),
  ).resolves.toEqual(["html", "html", "html"]);
  expect(times).toBe(2);
  await expect(cache.get("a", "east", slow)).resolves.toBe("html");
  expect(times).toBe(2);
});
