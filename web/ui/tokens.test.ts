// @vitest-environment node
import { readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../styles.css", import.meta.url), "utf8");
const themes = { light: tokensOf(0), dark: tokensOf(1) };
const grounds = ["bg", "paper", "surface", "sunken"];

/** Text colors used on these backgrounds. */
const onGround: readonly [text: string, grounds: readonly string[]][] = [
  ["text", [...grounds, "primary-soft", "warning-soft", "success-soft", "destructive-soft", "mark"]],
  ["muted", grounds],
  ["on-primary", ["primary"]],
  ["on-destructive", ["destructive"]],
  ["bg", ["text"]],
  ...["primary", "warning", "success", "destructive"].map((name): [string, string[]] => [
    name,
    [`${name}-soft`, ...grounds],
  ]),
];

describe.each(Object.entries(themes))("tokens, %s", (_, tokens) => {
  it.each(onGround)("text in %s is readable (4.5:1)", (text, grounds) => {
    for (const ground of grounds) {
      expect(contrast(tokens, text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("borders of controls and dots stand out from their background (3:1)", () => {
    for (const name of ["control", "primary", "warning", "success", "destructive"]) {
      for (const ground of ["bg", "paper", "surface"]) {
        expect(contrast(tokens, name, ground), `${name} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

it("style sheets read only properties that one of them sets", () => {
  const root = new URL("../", import.meta.url);
  const sheets = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css"));
  const all = sheets.map((name) => readFileSync(new URL(name, root), "utf8")).join("\n");
  const set = new Set([...all.matchAll(/(--[a-z\d-]+):/g)].map(([, name]) => name));
  const read = new Set([...all.matchAll(/var\((--[a-z\d-]+)/g)].map(([, name]) => name));
  expect([...read].filter((name) => !set.has(name))).toEqual([]);
});

it("the typeface has at most 40 KiB", () => {
  const files = ["inter-latin.woff2", "inter-latin-ext.woff2"];
  const bytes = files.map((name) => statSync(new URL(`../fonts/${name}`, import.meta.url)).size);
  expect(bytes.reduce((total, size) => total + size, 0)).toBeLessThanOrEqual(40 * 1024);
  for (const name of files) expect(css).toContain(`url("./fonts/${name}")`);
});

/** `--name: light-dark(oklch(L C H), oklch(L C H))`: the colors of one theme. */
function tokensOf(theme: 0 | 1): Record<string, number[]> {
  const found = css.matchAll(/--([a-z-]+): light-dark\(oklch\(([\d. ]+)\), oklch\(([\d. ]+)\)\)/g);
  return Object.fromEntries(
    [...found].map(([, name, ...values]) => [name, String(values[theme]).split(" ").map(Number)]),
  );
}

function contrast(tokens: Record<string, number[]>, a: string, b: string): number {
  const [x, y] = [luminance(tokens[a]), luminance(tokens[b])];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Relative luminance (WCAG) of an OKLCH color, each channel clipped to sRGB as browsers do. */
function luminance(colour: number[] | undefined): number {
  const [l = Number.NaN, c = 0, h = 0] = colour ?? [];
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short);
  const green = clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short);
  const blue = clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
