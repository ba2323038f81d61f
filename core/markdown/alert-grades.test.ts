import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pageStyle } from "../export/html/style.ts";
import {
  alertGrades,
  alertKinds,
  alertStylesheet,
  hazardKinds,
  isHazard,
  alertTintOf,
  type AlertKind,
} from "./alert-grades.ts";
import { renderHtml } from "./render.ts";

const white = "#ffffff";
/** Text and page of the app and the exports. */
const pages = {
  light: [white, "#faf9f7", "#fffdf5"],
  dark: ["#101114", "#14181f", "#1d232c"],
};

/** WCAG 2.2: relative luminance and contrast. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/g) ?? []).map((part) => {
    const share = Number.parseInt(part, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function mixed(color: string, page: string): string {
  const part = (of: string, at: number) => Number.parseInt(of.slice(1 + 2 * at, 3 + 2 * at), 16);
  const value = (at: number) => Math.round(part(page, at) + (part(color, at) - part(page, at)) * 0.08);
  return `#${[0, 1, 2].map((at) => value(at).toString(16).padStart(2, "0")).join("")}`;
}

function hue(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/g) ?? []).map((part) => Number.parseInt(part, 16));
  const degrees = (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI;
  return (degrees + 360) % 360;
}

describe("the grades of hazards", () => {
  it("have the safety colors of ANSI Z535 and ISO 3864: red, orange, yellow, blue", () => {
    const hues = hazardKinds.map((kind) => Math.round(hue(alertGrades[kind].color)));
    const within = [
      [340, 360],
      [20, 40],
      [42, 60],
      [200, 230],
    ];
    hues.forEach((value, at) => {
      expect(value).toBeGreaterThanOrEqual(within[at]?.[0] ?? 0);
      expect(value).toBeLessThanOrEqual(within[at]?.[1] ?? 0);
    });
  });

  it("say what can happen, and have a color and a shape of their own", () => {
    expect(hazardKinds.map((kind) => alertGrades[kind].meaning)).toEqual([
      "death or serious injury",
      "injury",
      "minor injury",
      "damage",
    ]);
    for (const of of ["color", "sign", "letter", "title"] as const) {
      expect(new Set(alertKinds.map((kind) => alertGrades[kind][of])).size).toBe(alertKinds.length);
    }
  });
});

describe("words of each kind have a contrast of 4.5 at least", () => {
  const words = (kind: AlertKind, theme: "light" | "dark") =>
    theme === "dark" ? (alertGrades[kind].wordOnDark ?? alertGrades[kind].word) : alertGrades[kind].word;

  it.each(alertKinds)("%s", (kind) => {
    const { color } = alertGrades[kind];
    for (const theme of ["light", "dark"] as const) {
      for (const page of pages[theme]) {
        const behind = mixed(color, page);
        const text = theme === "light" ? "#1d2530" : "#e4e8ee";
        expect(contrast(text, behind)).toBeGreaterThan(4.5);
        expect(contrast(words(kind, theme), isHazard(kind) ? color : behind)).toBeGreaterThan(4.5);
      }
    }
    expect(mixed(color, white)).toBe(alertTintOf(kind));
    expect(contrast(alertGrades[kind].word, isHazard(kind) ? color : alertTintOf(kind))).toBeGreaterThan(4.5);
  });
});

describe("one table", () => {
  const root = join(import.meta.dirname, "../..");
  const bare = (text: string) => text.replace(/\s/g, "");

  it("gives the app its style (node bin/alert-style.ts and oxfmt write it)", () => {
    const written = readFileSync(join(root, "web/editor/alert-grades.css"), "utf8");
    expect(bare(written)).toBe(bare(alertStylesheet()));
  });

  it("gives exports theirs, and no other file of ours colors a kind", () => {
    expect(pageStyle).toContain(alertStylesheet());
    const own = [
      "web/editor/alerts.css",
      "web/editor/editor.css",
      "web/reading.css",
      "templates/workspace/preview/document.css",
      "templates/pdf/theme.typ",
      "templates/pdf/blocks.typ",
    ];
    for (const file of own) {
      const text = readFileSync(join(root, file), "utf8");
      expect({ file, kinds: alertKinds.filter((kind) => text.includes(`alert-${kind}`)) }).toEqual({ file, kinds: [] });
    }
  });

  it("gives each kind its box in a text, in any case of letters", () => {
    for (const kind of alertKinds) {
      for (const word of [kind, kind.toUpperCase(), alertGrades[kind].title]) {
        const html = renderHtml(`> [!${word}]\n> Hot.\n`);
        expect(bare(html)).toContain(`alert-${kind}"><pclass="alert-title">${alertGrades[kind].title}</p>`);
      }
    }
  });
});
