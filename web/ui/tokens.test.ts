// @vitest-environment node
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("../styles.css", import.meta.url), "utf8");
const themes = { light: tokensOf(":root"), dark: { ...tokensOf(":root"), ...tokensOf(".dark") } };

/** Text colors used on these backgrounds. */
const onGround: readonly [text: string, grounds: readonly string[]][] = [
  ["text", ["bg", "surface", "sunken", "primary-soft", "warning-soft", "success-soft", "destructive-soft"]],
  ["muted", ["bg", "surface", "sunken"]],
  ["on-primary", ["primary"]],
  ["on-destructive", ["destructive"]],
  ["bg", ["text"]],
  ...["primary", "secondary", "accent", "warning", "success", "destructive", "neutral"].map(
    (name): [string, string[]] => [name, [`${name}-soft`, "surface", "bg"]],
  ),
];

describe.each(Object.entries(themes))("tokens, %s", (_, tokens) => {
  it.each(onGround)("text in %s is readable (4.5:1)", (text, grounds) => {
    for (const ground of grounds) {
      expect(contrast(tokens, text, ground), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("borders of controls and dots stand out from their background (3:1)", () => {
    for (const name of ["control", "primary", "secondary", "accent", "warning", "destructive"]) {
      for (const ground of ["bg", "surface"]) {
        expect(contrast(tokens, name, ground), `${name} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

/** `--name: oklch(L C H)` of the first block of a selector. */
function tokensOf(selector: string): Record<string, number[]> {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  const found = [...block.matchAll(/--([a-z-]+): oklch\(([\d. ]+)\)/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, String(value).split(" ").map(Number)]));
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
