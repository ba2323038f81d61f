import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "./from-html.ts";
import { imageWidths, readAlt, writeAlt } from "./image-alt.ts";
import { renderHtml } from "./render.ts";

const own = `/api/assets/${"a".repeat(64)}.png`;

describe("a picture's words and width", () => {
  it.each([
    ["Valve|300", "Valve", 300],
    ["Valve V2 | 40", "Valve V2", 40],
    ["|300", "", 300],
    ["a|b|90", "a|b", 90],
    ["Valve", "Valve", null],
    ["Valve|9", "Valve|9", null],
    ["Valve|9999", "Valve|9999", null],
    ["Valve|30px", "Valve|30px", null],
    ["5|6", "5|6", null],
    ["", "", null],
  ])("%j are %j and %j", (written, alt, width) => {
    expect(readAlt(written)).toEqual({ alt, width });
  });

  it("are recognized in one pass, with any length of words", () => {
    const spaces = " ".repeat(200_000);
    expect(readAlt(`a${spaces}b`)).toEqual({ alt: `a${spaces}b`, width: null });
    expect(readAlt(`a${spaces}|${spaces}b`).width).toBeNull();
    expect(readAlt(`a|${" ".repeat(200_000)}30`)).toEqual({ alt: "a", width: 30 });
  });

  it("are read as they were written", () => {
    const width = fc.integer({ min: imageWidths.least, max: imageWidths.most });
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z |0-9]*[a-z]$/), width, (alt, wide) => {
        expect(readAlt(writeAlt({ alt: alt.trim(), width: wide }))).toEqual({ alt: alt.trim(), width: wide });
      }),
    );
  });

  it("are words and a width on the page, and come back from there", () => {
    const html = renderHtml(`![Valve|300](${own})`);
    expect(html).toBe(`<p><img src="${own}" alt="Valve" loading="lazy" width="300"></p>`);
    expect(htmlToMarkdown(html).markdown).toBe(`![Valve|300](${own})\n`);
    expect(htmlToMarkdown(`<img src="${own}" alt="Valve" width="30%">`).markdown).toBe(`![Valve](${own})\n`);
    expect(renderHtml("![Valve|300](https://a.example/v.png)")).toContain(">Valve</a>");
  });
});
