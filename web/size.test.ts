// @vitest-environment node
import { beforeAll, describe, expect, it } from "vitest";
import {
  buildWeb,
  editorFigure,
  lazyFigures,
  loadedFor,
  screenFigures,
  screens,
  totalFigures,
} from "../bench/web-size.ts";
import { protectedScreens, publicScreens } from "./screens.ts";

let built: Awaited<ReturnType<typeof buildWeb>>;

beforeAll(async () => {
  built = await buildWeb();
}, 240_000);

describe("what a screen loads before it can show", () => {
  it("keeps the budget of every screen", () => {
    const figures = screenFigures(built.chunks);
    expect(figures.length).toBe(screens.length);
    expect(figures.filter(({ value, peer }) => value > peer)).toEqual([]);
  });

  it("keeps the budget of every chunk that loads when something is opened", () => {
    const figures = lazyFigures(built.chunks);
    // the largest of them are what a person opens, not what a screen begins with
    expect(figures.map(({ name }) => name)).toContain("web-size lazy chunk Comments");
    expect(figures.filter(({ value, peer }) => value > peer)).toEqual([]);
  });

  it("has a row for every screen", () => {
    const sources = new Set(screens.map(({ name }) => name));
    expect(
      [...publicScreens, ...protectedScreens].map(({ path }) => path).filter((path) => !sources.has(path)),
    ).toEqual(["/sop/new"]);
  });

  it("keeps the budgets of the editor, the style sheet and the whole", () => {
    const figures = [editorFigure(built.chunks), ...totalFigures(built)];
    expect(figures.every(({ value }) => value > 1)).toBe(true);
    expect(figures.filter(({ value, peer }) => value > peer)).toEqual([]);
  });

  it("has nothing of the libraries that no screen uses", () => {
    const modules = built.chunks.flatMap((chunk) => Object.keys(chunk.modules));
    expect(modules.filter((id) => /react-remove-scroll|to-json-schema/.test(id))).toEqual([]);
    // what is kept to debug a library, what says more than a visitor needs, and a schema's way to a JSON Schema
    const unused = ["HistoryRouter", "No routes matched", "OrderedDict", "processJSONSchema"];
    const kept = (text: string) => built.chunks.some((chunk) => chunk.code.includes(text));
    expect(kept("needs UiProvider above it")).toBe(true);
    expect(unused.filter(kept)).toEqual([]);
  });

  it("has no zod in the shell, the lists and the sign-in", () => {
    for (const page of ["dashboard/DashboardPage", "sops/SopsPage", "categories/CategoryPage", "accounts/LoginPage"]) {
      const loaded = loadedFor(built.chunks, ["web/shell/Shell.tsx", `web/${page}.tsx`]);
      expect(loaded.length).toBeGreaterThan(2);
      expect(loaded.flatMap((chunk) => chunk.moduleIds).filter((id) => id.includes("/node_modules/zod/"))).toEqual([]);
    }
  });

  it("finds zod where a form is checked, so that the search above can find it", () => {
    const loaded = loadedFor(built.chunks, ["web/accounts/register-resolver.ts"]);
    expect(loaded.some((chunk) => chunk.moduleIds.some((id) => id.includes("/node_modules/zod/")))).toBe(true);
  });
});
