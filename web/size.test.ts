// @vitest-environment node
import { beforeAll, describe, expect, it } from "vitest";
import { buildWeb, editorFigure, screenFigures, screens, cssFigure } from "../bench/web-size.ts";
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

  it("has a row for every screen", () => {
    const sources = new Set(screens.map(({ name }) => name));
    expect(
      [...publicScreens, ...protectedScreens].map(({ path }) => path).filter((path) => !sources.has(path)),
    ).toEqual(["/sop/new"]);
  });

  it("keeps the budgets of the editor and the style sheet", () => {
    const figures = [editorFigure(built.chunks), cssFigure(built)];
    expect(figures.every(({ value }) => value > 1)).toBe(true);
    expect(figures.filter(({ value, peer }) => value > peer)).toEqual([]);
  });
});
