import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assetLinks, withRepositoryLinks } from "./assets.ts";
import { formatMarkdown } from "./format.ts";
import { sopKeysLinkedInHtml, withLiveTitles, withServerAddress } from "./live-titles.ts";
import { renderHtml } from "./render.ts";
import {
  offsetAfterReplacing,
  replaceLinkDestinations,
  readSopAddress,
  sopKeyOf,
  sopLinkPlaces,
  type SopLink,
} from "./sop-links.ts";

const id = "0198f0c2-5b7e-7c11-9a44-000000000001";
const path = "sops/it/sop-0043-unlock-a-user.md";

describe("addresses of SOPs", () => {
  it.each([
    ["/sop/SOP-0042", "SOP-0042", ""],
    ["/sop/sop-42/", "SOP-0042", ""],
    ["/sop/SOP-12345#user-content-steps", "SOP-12345", "#user-content-steps"],
    [`/sop/${id.toUpperCase()}`, id, ""],
    ["/sop/SOP%2D0042", "SOP-0042", ""],
    ["https://sops.example/sop/SOP-0042#a", "SOP-0042", "#a"],
  ])("%s leads to %s", (url, to, fragment) => {
    expect(readSopAddress(url, "https://sops.example")).toEqual({ kind: "sop", to, fragment });
  });

  it.each([
    "/sop/new",
    "/sop/SOP-0042/edit",
    "/sop/SOP-0042?step=2",
    "/sop/SOP-00x",
    "/sop/%",
    "https://sops.example.evil/sop/SOP-0042",
    "https://other.example/sop/SOP-0042",
    "//sops.example/sop/SOP-0042",
    "../../sops/it/notes.md",
    "../sops/it/sop-0043-a.md",
    "../../sops/../sop-0043-a.md",
    "/api/sops/SOP-0042",
  ])("%s leads to none", (url) => expect(readSopAddress(url, "https://sops.example")).toBeNull());

  it("of files name number and slug", () => {
    const file = { kind: "file", names: [{ number: "SOP-0043", slug: "unlock-a-user" }], path, fragment: "#x" };
    expect(readSopAddress(`../../${path}#x`)).toEqual(file);
  });

  it("are numbers in any spelling, or ids", () => {
    const marked = readSopAddress("../../sops/it/sop-0042-reset.draft.md");
    expect(marked).toMatchObject({ names: [{ number: "SOP-0042", slug: "reset" }] });
    const titled = readSopAddress("../../sops/it/qm.042-reset-draft.not-yet-effective.md");
    expect(titled).toMatchObject({ names: [{ number: "QM.042", slug: "reset-draft" }] });
    expect(["SOP-0001", "sop-1", id, "SOP-", "SOP-1234567890", "1", ""].map(sopKeyOf)).toEqual([
      "SOP-0001",
      "SOP-0001",
      id,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("links in a text", () => {
  it("are found where they are links, with their words", () => {
    const text = `[a *b*](/sop/SOP-0001) [Lock \\*it\\*](</sop/SOP-0002> "t") [see][r] \`[x](/sop/SOP-0003)\` /sop/SOP-0004\n\n[r]: /sop/sop-5#x\n`;
    const places = sopLinkPlaces(text);
    expect(places.map(({ url, text: words }) => `${url} ${words}`)).toEqual([
      "/sop/sop-5#x see",
      "/sop/SOP-0001 ",
      "/sop/SOP-0002 Lock *it*",
      "/sop/sop-5#x ",
    ]);
    for (const { url, start } of places.filter((place) => place.start >= 0))
      expect(text.startsWith(url, start)).toBe(true);
  });

  it("become paths and keep the text canonical, in any mix with files", () => {
    const hash = "ab".repeat(32);
    const piece = fc.constantFrom(
      "[Unlock](/sop/SOP-0043)",
      "[Unlock](/sop/SOP-0043#steps)",
      "[Draft](/sop/SOP-0044)",
      `![x](/api/assets/${hash}.png)`,
      "`/sop/SOP-0043`",
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
        const sops = sopLinkPlaces(text).map(({ url, start }) => {
          const to = url.split("#")[0]?.slice(5) ?? "";
          return { at: start, to, path: to === "SOP-0043" ? path : null };
        });
        const file = withRepositoryLinks(text, assetLinks(text).places, sops);
        expect(formatMarkdown(file)).toBe(file);
        const back = sopLinkPlaces(file).flatMap(({ url, start }) => {
          const address = readSopAddress(url);
          return address?.kind === "file" ? [{ start, from: `../../${address.path}`, to: "/sop/SOP-0043" }] : [];
        });
        const again = replaceLinkDestinations(file, back);
        expect(again.text.replaceAll(/\.\.\/\.\.\/assets\/ab\//g, "/api/assets/")).toBe(text);
        for (const [index, start] of again.starts.entries())
          expect(offsetAfterReplacing(back[index]?.start ?? 0, back)).toBe(start);
      }),
      { numRuns: 200 },
    );
  });
});

describe("titles in links", () => {
  const links: SopLink[] = [{ to: "SOP-0042", at: 0, path: null, text: 'A < "b" & c' }];
  const titles = new Map([["SOP-0042", "<New> & $& title"]]);
  const words = (text: string) => {
    const html = withLiveTitles(renderHtml(text), links, titles);
    return /<a [^>]*>(.*?)<\/a>/.exec(html)?.[1];
  };
  const live = "&lt;New&gt; &amp; $&amp; title";

  it.each([
    ['[A < "b" & c](/sop/SOP-0042)', live],
    ['[A < "b" & c](/sop/SOP-0042#x)', live],
    ["[SOP-0042](/sop/SOP-0042)", live],
    ["[sop-42](/sop/SOP-0042)", live],
    ["[its own words](/sop/SOP-0042)", "its own words"],
    ["[SOP-0043](/sop/SOP-0042)", "SOP-0043"],
    ["[SOP-0043](/sop/SOP-0043)", "SOP-0043"],
    ["[**SOP-0042**](/sop/SOP-0042)", "<strong>SOP-0042</strong>"],
    ["[SOP-0042](https://other.example/sop/SOP-0042)", "SOP-0042"],
  ])("%s shows %s", (text, shown) => expect(words(text)).toBe(shown));

  it.each([
    [null, "SOP-0042"],
    ["sops/hr/sop-0042-a.md", "A"],
  ])("show an SOP with the path %s as %s to a reader who can't see it", (path, shown) => {
    const html = renderHtml("[A](/sop/SOP-0042) [own words](/sop/SOP-0042) [A](/sop/SOP-0043)");
    const hidden = withLiveTitles(html, [{ to: "SOP-0042", at: 0, path, text: "A" }], new Map());
    expect([...hidden.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, one]) => one)).toEqual([shown, "own words", "A"]);
  });

  it("name the server in a file", () => {
    const html = withServerAddress(
      renderHtml('[a](/sop/SOP-0042#x) [b](/sops) `<a href="/sop/x">`'),
      "https://x.example",
    );
    expect(html.match(/https:[^"]*/g)).toEqual(["https://x.example/sop/SOP-0042#x"]);
  });

  it("name the server beside links to stored files, unless these come with the file", () => {
    const file = `/api/assets/${"ab".repeat(32)}.pdf`;
    const html = renderHtml(`[sheet](${file}) ![p](${file.replace("pdf", "png")})`);
    expect(withServerAddress(html, "https://x.example").match(/https:[^"]*/g)).toEqual([`https://x.example${file}`]);
    expect(withServerAddress(html, "https://x.example", { files: false })).toBe(html);
  });

  it("change nothing in running text that looks like a link", () => {
    const text = '`<a href="/sop/SOP-0042">SOP-0042</a>` &lt;a href="/sop/SOP-0042">SOP-0042&lt;/a>\n';
    expect(sopKeysLinkedInHtml(renderHtml(text))).toEqual([]);
    expect(withLiveTitles(renderHtml(text), links, titles)).toBe(renderHtml(text));
  });
});
