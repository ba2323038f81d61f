import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assetLinks, withServerAssetLinks, withRepositoryLinks } from "./assets.ts";
import { formatMarkdown } from "./format.ts";

const a = "ab".repeat(32);
const b = "cd".repeat(32);
const url = (sha: string, ext: string): string => `/api/assets/${sha}.${ext}`;
const file = (sha: string, ext: string): string => `../../assets/${sha.slice(0, 2)}/${sha}.${ext}`;

const body = `![Valve](${url(a, "png")} "see ${url(a, "png")}") and [the form](${url(b, "pdf")}#page=2).

[ref]: ${url(b, "pdf")}

[![${url(a, "png")}](${url(a, "png")})](${url(b, "pdf")})

\`${url(a, "png")}\` stays, as does ${url(a, "png")} in text.

\`\`\`
![x](${url(a, "png")})
\`\`\`

![other](https://example.com${url(a, "png")}) ![no ext](/api/assets/${a})
`;

describe("assets", () => {
  it("finds the linked ones, each once", () => {
    expect(assetLinks(body).assets).toEqual([
      { sha256: a, ext: "png" },
      { sha256: b, ext: "pdf" },
    ]);
    for (const none of [`\`${url(a, "png")}\``, "no links"])
      expect(assetLinks(none)).toEqual({ assets: [], places: [] });
  });

  it("rewrites destinations and nothing else", () => {
    expect(withRepositoryLinks(body))
      .toBe(`![Valve](${file(a, "png")} "see ${url(a, "png")}") and [the form](${file(b, "pdf")}#page=2).

[ref]: ${file(b, "pdf")}

[![${url(a, "png")}](${file(a, "png")})](${file(b, "pdf")})

\`${url(a, "png")}\` stays, as does ${url(a, "png")} in text.

\`\`\`
![x](${url(a, "png")})
\`\`\`

![other](https://example.com${url(a, "png")}) ![no ext](/api/assets/${a})
`);
    expect(withServerAssetLinks(withRepositoryLinks(body))).toBe(body);
  });

  it("finds and rewrites what raw HTML shows and links, in any way to write it", () => {
    const html = [
      `<img src="${url(a, "png")}" width="200">`,
      `Text with <img alt='x' src='${url(a, "png")}'> and <a href="${url(b, "pdf")}#page=2">a form</a>.`,
      `> <figure>\n> <img src="${url(b, "webp")}"\n> width="80">\n> </figure>`,
      `<video poster="${url(b, "jpg")}"></video>`,
    ].join("\n\n");
    expect(assetLinks(html).assets.map(({ sha256 }) => sha256)).toEqual([a, b]);
    expect(assetLinks(html).places).toHaveLength(5);
    expect(withRepositoryLinks(html)).toBe(html.replaceAll(/\/api\/assets\/(..)/g, "../../assets/$1/$1"));
    expect(withServerAssetLinks(withRepositoryLinks(html))).toBe(html);
    const none = `<!-- <img src="${url(a, "png")}"> -->\n\n\`<img src="${url(a, "png")}">\` &lt;img src="${url(a, "png")}">\n`;
    expect(assetLinks(none)).toEqual({ assets: [], places: [] });
    expect(withRepositoryLinks(none)).toBe(none);
  });

  it("rewrites by the places it was given, without looking for others", () => {
    const { places } = assetLinks(body);
    expect(places.length).toBe(5);
    expect(withRepositoryLinks(body, places)).toBe(withRepositoryLinks(body));
    expect(withRepositoryLinks(body, [])).toBe(body);
    expect(withRepositoryLinks(body, [0, 7])).toBe(body);
  });

  it("stays canonical and finds its way back", () => {
    const piece = fc.constantFrom(
      `![x](${url(a, "png")})`,
      `[y](${url(b, "pdf")} "t")`,
      "`code`",
      "text",
      "\n\n",
      "- ",
      "> ",
      "**",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = formatMarkdown(pieces.join(""));
        const moved = withRepositoryLinks(text);
        expect(withServerAssetLinks(moved)).toBe(text);
        expect(formatMarkdown(moved)).toBe(moved);
      }),
      { numRuns: 200 },
    );
  });

  it("does not take other paths for assets", () => {
    const odd = `[x](../../assets/00/${a}.png) [y](../assets/ab/${a}.png)\n`;
    expect(withServerAssetLinks(odd)).toBe(odd);
  });
});
