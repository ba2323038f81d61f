import { describe, expect, it } from "vitest";
import type { ExportDocument } from "../document.ts";
import { renderHtml } from "../../markdown/render.ts";
import { renderSop } from "../../steps/steps-of.ts";
import { createHeadingLookup } from "../../links/heading-names.ts";
import { exportDocumentOfFile } from "../of-file.ts";
import { createLinkResolver, manualPageHtml, siteHomeHtml, sitePageHtml } from "../site.ts";
import { searchIndexScript } from "../site-search.ts";
import { documentAsHtmlFile } from "./page.ts";
import { printedFooterStyle } from "./style.ts";

const sha = "ab".repeat(32);
const document: ExportDocument = {
  number: "SOP-0042",
  version: 7,
  workingCopy: false,
  state: "draft",
  title: 'Lock </title><script>alert("t")</script>',
  description: "How <b>",
  markdown: "",
  lang: "en",
  category: null,
  company: "A & B",
  owner: null,
  writtenBy: null,
  changeClass: null,
  approvals: [{ name: '<img src=x onerror="alert(1)">', at: "2026-10-03T10:00:00.000Z" }],
  effective: null,
  reviewBy: null,
  contentHash: null,
  tags: [],
  at: "2026-10-01T10:00:00.000Z",
};

describe("a page of HTML", () => {
  it("holds names and texts as they are, names the one style it has, and nothing that runs", () => {
    const html = documentAsHtmlFile(
      document,
      { html: "<p>x</p>", image: () => undefined },
      (style) => `H${style.length}`,
    );
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(html) ?? [];
    expect(html).toContain(`style-src 'sha256-H${style.length}'`);
    expect(html).not.toMatch(/<script|<img|onerror="/);
    for (const part of [
      "SOP-0042",
      "Version 7",
      ">Draft<",
      "A &amp; B",
      "Printed = uncontrolled copy",
      "How &lt;b&gt;",
    ]) {
      expect(html).toContain(part);
    }
    expect(style).toContain("SOP-0042 \\b7  Version 7 \\b7  Draft \\b7  Printed = uncontrolled copy");
  });

  it("has each step under its id, so that links to a step lead to it", () => {
    const stepId = /<li id="([^"]+)">Lock/.exec(renderSop("1. Open\n2. Lock\n"))?.[1] ?? "";
    expect(stepId).toMatch(/^user-content-step\.\w+$/);
    const text = `[the lock](/sop/SOP-2#${stepId}) [below](#${stepId})\n\n2. Lock\n`;
    const target = { id: null, number: "SOP-0002", name: "sop-0002-x", path: "sops/sop-0002-x" };
    const headings = createHeadingLookup(text);
    const { link, lost } = createLinkResolver([{ ...target, headings }])({ ...target, headings });
    const parts = { html: renderSop(text), image: () => undefined, link };
    for (const page of [
      documentAsHtmlFile(document, parts, () => ""),
      sitePageHtml({ document, name: "x" }, parts, "All", () => ""),
    ]) {
      expect(page).toContain(`<li id="${stepId}">Lock</li>`);
      expect(page).toContain(`href="sop-0002-x.html#${stepId}"`);
      expect(page).toContain(`href="#${stepId}"`);
    }
    expect([...lost]).toEqual([]);
  });

  it("opens an author's folds around what protects, and leaves others as they are", () => {
    const fold = (text: string) => `<details><summary>More</summary>\n\n${text}\n\n</details>\n\n`;
    const closed = fold(
      "The names in the plan are those of the office, and it is for them that this list was made. ".repeat(4),
    );
    const open = [
      fold("Wear a mask.").replaceAll("\n", ""),
      fold("| Limit |\n|---|\n| 5 |"),
      fold("> [!DANGER]\n> Hot"),
      fold(fold("Never enter.")),
    ];
    const parts = { html: renderSop(`1. Open\n\n${closed}${open.join("")}`), image: () => undefined };
    for (const page of [
      documentAsHtmlFile(document, parts, () => ""),
      sitePageHtml({ document, name: "x" }, parts, "All", () => ""),
    ]) {
      expect(page.match(/<details(?: open)?>/g)).toEqual([
        "<details>",
        ...Array.from({ length: 5 }, () => "<details open>"),
      ]);
    }
  });

  it("takes pictures in, leaves the words of those that are missing, and leads links to where they are", () => {
    const html = renderHtml(
      `![a "quoted" dot](/api/assets/${sha}.png) ![gone](/api/assets/${"cd".repeat(32)}.png)\n\n[one](../it/sop-0002-x.md?a=1&b=2#steps) [out](https://a.example/sop-0002-x.md)`,
    );
    const linksFrom = createLinkResolver([{ id: null, number: "x", name: "sop-0002-x", path: "sops/it/sop-0002-x" }]);
    const { link } = linksFrom({ id: null, number: "b", name: "b", path: "sops/hr/b" });
    const image = (name: string) => (name.startsWith("ab") ? "data:image/png;base64,xx" : undefined);
    const page = documentAsHtmlFile(document, { html, image, link }, () => "");
    expect(page).toContain('<img src="data:image/png;base64,xx" alt="a &#x22;quoted&#x22; dot"');
    expect(page).toContain("<em>[Picture: gone]</em>");
    expect(page).toContain('<a href="sop-0002-x.html#user-content-steps"');
    expect(page).toContain('<a href="https://a.example/sop-0002-x.md"');
    expect(page).not.toContain("/api/assets/");
  });

  it("a foot line can't end its string or its style", () => {
    expect(printedFooterStyle('a"}</style><script>\\')).toBe(
      '@page{@bottom-left{content:"a\\22 \\7d \\3c \\2f style\\3e \\3c script\\3e \\5c ";font-size:9pt}}',
    );
  });
});

describe("links within a site", () => {
  const id = "00000000-0000-7000-8000-000000000001";
  const linksFrom = createLinkResolver([
    { id, number: "SOP-0001", name: "sop-0001-a", path: "it/sop-0001-a" },
    { id: null, number: "b", name: "b", path: "hr/b" },
    { id: null, number: "b", name: "b-2", path: "it/b" },
    { id: null, number: "P", name: "Pumpe-\u00e4", path: "it/Pumpe-a\u0308" },
    { id: null, number: "o", name: "\u505c\u6b62", path: "it/\u505c \u6b62" },
    { id: null, number: "i", name: "index", path: "it/index" },
  ]);
  const from = { id: null, number: "c", name: "c", path: "hr/c" };
  it.each([
    [`/sop/${id}`, "sop-0001-a.html"],
    [`https://sops.example/sop/${id}#x`, "sop-0001-a.html#user-content-x"],
    ["/sop/SOP-0001#x", "sop-0001-a.html#user-content-x"],
    ["/sop/sop-1", "sop-0001-a.html"],
    ["/sop/SOP-0002", undefined],
    ["b.md", "b.html"],
    ["./../it/b.md", "b-2.html"],
    ["/elsewhere/sop-0001-a.md", "sop-0001-a.html"],
    ["b.md#user-content-y", "b.html#user-content-y"],
    ["../it/b.markdown#y", "b-2.html#user-content-y"],
    ["c.md", undefined],
    ["https://a.example/b.md", undefined],
    ["#here", undefined],
    ["../it/Pumpe-%C3%A4.md", "Pumpe-%C3%A4.html"],
    ["../it/PUMPE-\u00e4.md", "Pumpe-%C3%A4.html"],
    ["../it/%E5%81%9C%20%E6%AD%A2.md", "%E5%81%9C%E6%AD%A2.html"],
    ["../../it/sop-0001-a/#x", "sop-0001-a.html#user-content-x"],
    ["../it/", "index.html"],
    ["../it/b/index.html", "b-2.html"],
    [`/api/assets/${sha}.pdf`, undefined],
    ["data.csv", undefined],
  ])("%s", (href, place) => {
    const { link, lost } = linksFrom(from);
    expect(link(href)).toBe(place);
    const isOurs = !/^(?:https?:|#)/.test(href);
    expect([...lost]).toEqual(place === undefined && isOurs ? [href] : []);
  });

  it("names headings as the page has them, and those that it has not", () => {
    const headings = createHeadingLookup("## A - B\n");
    const target = { id: null, number: "d", name: "d", path: "hr/d", headings };
    const { link, lost } = createLinkResolver([target])(target);
    expect(["d.md#a-b", "#a-b", "#gone", "d/#gone"].map(link)).toEqual([
      "d.html#user-content-a---b",
      "#user-content-a---b",
      undefined,
      "d.html#user-content-gone",
    ]);
    expect([...lost]).toEqual(["#gone", "d/#gone"]);
  });

  it("names that several files have mean none of them", () => {
    const twins = ["a/x", "b/x"].map((path) => ({ id: null, number: path, name: path, path }));
    expect(createLinkResolver(twins)({ ...from, path: "c/y" }).link("x.md")).toBeUndefined();
  });
});

it("the search index is a script whose text can't break out of it", () => {
  const text = '</script>\u2028"; alert(1); //';
  const script = searchIndexScript([
    { name: "a", number: "1", title: text, description: "", text, facts: "", status: "", marked: false },
  ]);
  expect(script).toMatch(/^self\.sopIndex="(?:[^"\\\u2028\u2029\n]|\\.)*";\n$/);
});

it("has the language of its text where the file names none, and says which text has no clear one", () => {
  const page = (title: string, markdown: string) => {
    const frontMatter = { title };
    const place = { name: "a", category: null, company: null, contentHash: "" };
    const file = exportDocumentOfFile({ ...place, frontMatter, markdown });
    return documentAsHtmlFile(file, { html: renderHtml(markdown), image: () => undefined }, () => "");
  };
  expect(page("Ventil prüfen", "Das Ventil schließen und den Druck ablesen.\n")).toContain('<html lang="de">');
  expect(page("Pump", "Close the valve and read the pressure.\n")).toContain('<html lang="en">');
  const unclear = page("V7", "7 bar\n");
  for (const tag of ['<html lang="en">', '<h1 class="title" lang="">', '<article lang="">'])
    expect(unclear).toContain(tag);
});

describe("a page from the right", () => {
  const markdown = "נוהל זה\n\nPress Enter.\n\n- SAP פתח\n- Only Latin.\n\n`code`\n";
  const parts = { html: renderHtml(markdown), image: () => undefined };
  const hebrew = { ...document, lang: "he", title: "נוהל", owner: "דנה", markdown };
  const page = documentAsHtmlFile(hebrew, parts, () => "");

  it("says so, and keeps the order of Latin words", () => {
    expect(page).toContain('<html lang="he" dir="rtl">');
    expect(page).toContain('<p class="from-left">Press Enter.</p>');
    expect(page).toContain('<li class="from-left">Only Latin.</li>');
    expect(page).toContain("<li>SAP פתח</li>");
    expect(page).toContain("<dd><bdi>דנה</bdi></dd>");
  });

  it("keeps numbers with their unit in title and description", () => {
    const measured = { ...hebrew, title: "דף 2 bar", description: "עד 80 °C" };
    const manual = manualPageHtml({ document: measured, name: "a" }, parts, "All");
    const home = siteHomeHtml("Site", [{ document: measured, name: "a" }]);
    for (const html of [documentAsHtmlFile(measured, parts, () => ""), manual, home])
      expect(html).toContain("דף \u200e2 bar<");
    for (const html of [documentAsHtmlFile(measured, parts, () => ""), home]) expect(html).toContain("עד \u200e80 °C<");
  });

  it("keeps the isolates of a title, each closed, in its heading, its tab and lists", () => {
    const isolated = { ...hebrew, title: "לחץ \u2066A-7\u2069 ו\u2066B", description: "ראה \u2066C-9\u2069\u2069" };
    const home = siteHomeHtml("Site", [{ document: isolated, name: "a" }]);
    const file = documentAsHtmlFile(isolated, parts, () => "");
    for (const html of [file, home]) {
      expect(html).toMatch(/>לחץ \u2066\u200e?A-7\u2069 ו\u2066B\u2069</);
      expect(html).toMatch(/>ראה \u2066\u200e?C-9\u2069</);
    }
    expect(file).toMatch(/<title>SOP-0042 לחץ \u2066\u200e?A-7\u2069 ו\u2066B\u2069<\/title>/);
    expect(documentAsHtmlFile({ ...hebrew, title: "A \u20665\u2069" }, parts, () => "")).toContain(
      "<title>SOP-0042 A 5</title>",
    );
  });

  it("has styles without sides, so that lists, alerts and quotes change theirs", () => {
    const [, style = ""] = /<style>([^]*?)@page/.exec(page) ?? [];
    const sided = /[a-z-]*(?:padding|margin|border)-(?:left|right)[^;}]*/g;
    expect(style.split("@media print")[0]?.match(sided)).toBeNull();
  });

  it("is one only if its text is", () => {
    const other = documentAsHtmlFile(
      { ...document, lang: "he" },
      { html: "<p>x</p>", image: () => undefined },
      () => "",
    );
    expect(other).toContain('<html lang="he">\n');
    expect(other).not.toMatch(/<bdi>|class="from-left"/);
  });

  it("is in a site, whose home is from the right if most of its pages are", () => {
    const home = (...pages: (typeof document)[]) =>
      siteHomeHtml(
        "Site",
        pages.map((one) => ({ document: one, name: "a" })),
      );
    expect(sitePageHtml({ document: hebrew, name: "a" }, parts, "All", () => "")).toContain('dir="rtl"');
    expect(home(hebrew)).toContain('<html lang="en" dir="rtl">');
    expect(home(hebrew, document)).toContain('<html lang="en">');
  });
});

it("a manual has neither numbers nor status, and what is in no folder comes first", () => {
  const pages = ["How", "Why"].map((title, index) => ({
    document: { ...document, state: "published" as const, title, category: index === 0 ? "Answers" : null },
    name: title,
  }));
  const [first = { document, name: "" }] = pages;
  const page = manualPageHtml(first, { html: "<p>Text</p>", image: () => undefined }, "The manual");
  const home = siteHomeHtml("The manual", pages, false);
  for (const html of [page, home]) expect(html).not.toMatch(/SOP-0042|Draft|uncontrolled|Standard operating/);
  expect(page).toContain("<title>How</title>");
  expect(home.indexOf(">Why<")).toBeLessThan(home.indexOf(">How<"));
  expect(home).toContain("2 pages");
});
