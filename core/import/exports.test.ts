/**
 * Exports of Notion, Confluence and Google Docs, built here from layouts that these tools document or are known to
 * write. No real export is among the project's files.
 */
import { createHash } from "node:crypto";
import { strToU8, zipSync, type Zippable } from "fflate";
import { describe, expect, test } from "vitest";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { readArchive, createSourceTree } from "./archive.ts";
import { createConverter } from "./converter.ts";
import type { SourceFile } from "./files.ts";
import { sortIntoDocuments, type Layout } from "./layouts.ts";
import { replaceDocumentLinks } from "./link-to.ts";
import { readerOfBytes } from "./zip.ts";

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex");
const png = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (c) => c.charCodeAt(0),
);
const asset = `/api/assets/${sha256(png)}.png`;

type Files = Record<string, string | Uint8Array>;
const zip = (files: Files) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, data]): [string, Zippable[string]] => [
        name,
        typeof data === "string" ? strToU8(data) : data,
      ]),
    ),
  );

/** The documents of an archive as an import sends them, links shown as `→path`. */
async function importFiles(files: readonly SourceFile[], from?: Layout) {
  const { layout, documents, leftOut } = sortIntoDocuments(files, from);
  const converter = createConverter({ documents, tree: createSourceTree(files), sha256 });
  const readable = [];
  for (const document of documents) {
    const isReadable = await converter.examine(document).then(
      () => true,
      () => false,
    );
    if (isReadable) readable.push(document);
  }
  const texts: Record<string, string> = {};
  const notes: Record<string, string[]> = {};
  const lines: Record<string, string[]> = {};
  const sums: Record<string, string> = {};
  for (const document of readable) {
    const prepared = await converter.convert(document);
    sums[prepared.path] = (await converter.fingerprint(document)).sha256;
    texts[prepared.path] = replaceDocumentLinks(prepared.text, prepared.links, (path) => `→${path}`);
    notes[prepared.path] = prepared.notes.map(({ message }) => message);
    lines[prepared.path] = prepared.notes.map(({ message, line }) => `${line}: ${message}`);
  }
  return { layout, texts, notes, lines, sums, leftOut: leftOut.map(({ path, reason }) => `${path}: ${reason}`) };
}
const importZip = async (files: Files) => importFiles(await readArchive(readerOfBytes(zip(files))));
const importTree = (files: Files, from?: Layout) =>
  importFiles(
    Object.entries(files).map(([path, data]) => ({
      path,
      read: () => (typeof data === "string" ? strToU8(data) : data),
    })),
    from,
  );

describe("Notion", () => {
  const [home, page, row] = [
    "0123456789abcdef0123456789abcdef",
    "fedcba9876543210fedcba9876543210",
    "3f0e4d2c1b0a49788765432101234567",
  ];
  const files = {
    [`SOPs ${home}.md`]: `# SOPs\n\n[Close the shop (late)](SOPs%20${home}/Close%20the%20shop%20(late)%20${page}.md)\n\n[Tasks](SOPs%20${home}/Tasks%20${row}.csv)\n\n![Untitled](SOPs%20${home}/Untitled.png)\n`,
    [`SOPs ${home}/Close the shop (late) ${page}.md`]: `# Close the shop (late)\n\nOwner: Ann\n\n<aside>\n💡 Lights off.\n\n</aside>\n\n- [ ] Lock\n\nUp: [SOPs](../SOPs%20${home}.md)\n`,
    [`SOPs ${home}/Tasks ${row}.csv`]: "Name,Owner\nLock,Ann\n",
    [`SOPs ${home}/Tasks ${row}_all.csv`]: "Name,Owner\nLock,Ann\n",
    [`SOPs ${home}/Untitled.png`]: png,
  };

  test("names lose their numbers, links and pictures are found, tables are reported and not imported", async () => {
    const { layout, texts, leftOut } = await importZip(files);
    expect(layout).toBe("notion");
    expect(Object.keys(texts)).toEqual(["SOPs.md", "SOPs/Close the shop (late).md"]);
    expect(texts["SOPs.md"]).toContain("[Close the shop (late)](→SOPs/Close the shop (late).md)");
    expect(texts["SOPs.md"]).toContain(`![Untitled](${asset})`);
    expect(texts["SOPs/Close the shop (late).md"]).toContain("> [!NOTE]\n> 💡 Lights off.\n");
    expect(texts["SOPs/Close the shop (late).md"]).toContain("Up: [SOPs](→SOPs.md)");
    expect(leftOut.map((line) => line.replace(/: .*/, ""))).toEqual([
      `SOPs ${home}/Tasks ${row}.csv`,
      `SOPs ${home}/Tasks ${row}_all.csv`,
    ]);
    expect(leftOut[0]).toContain("its rows are pages, which are imported themselves");
  });

  test("a page that was renamed in Notion is known by its id", async () => {
    const { texts } = await importZip({
      [`Old name ${row}.md`]: "# Old name\n",
      [`New name ${page}.md`]: "# New name\n",
    });
    expect(texts["Old name.md"]).toContain('id: "3f0e4d2c-1b0a-4978-8765-432101234567"');
  });

  test("an export in parts is one export", async () => {
    const inner = (names: readonly string[]) =>
      zip(Object.fromEntries(names.map((name) => [name, (files as Files)[name] ?? ""])));
    const [one, two, ...rest] = Object.keys(files) as [string, string, ...string[]];
    const { texts } = await importZip({
      "ExportBlock-1234-Part-1.zip": inner([one]),
      "ExportBlock-1234-Part-2.zip": inner([two, ...rest]),
    });
    expect(texts["SOPs.md"]).toContain(`](→SOPs/Close the shop (late).md)`);
    expect(texts["SOPs.md"]).toContain(asset);
  });

  test("two pages of one name stand beside each other", async () => {
    const { texts } = await importZip({ [`A ${home}.md`]: "# A\n1\n", [`A ${page}.md`]: "# A\n2\n" });
    expect(Object.keys(texts)).toEqual(["A.md", "A 2.md"]);
  });
});

describe("Confluence", () => {
  const page = (title: string, body: string) =>
    `<!DOCTYPE html><html><head><title>OPS : ${title}</title><link rel="stylesheet" href="styles/site.css"></head><body class="theme-default"><div id="page"><div id="main"><div id="main-header"><div id="breadcrumb-section"><ol id="breadcrumbs"><li class="first"><span><a href="index.html">Operations</a></span></li></ol></div><h1 id="title-heading" class="pagetitle"><span id="title-text"> OPS : ${title} </span></h1></div><div id="content" class="view"><div class="page-metadata">Created by Ann</div><div id="main-content" class="wiki-content group">${body}</div></div></div></div></body></html>`;
  const files = {
    "OPS/index.html":
      "<html><head><title>OPS</title></head><body><ul><li><a href='Restart_65538.html'>Restart</a></li></ul></body></html>",
    "OPS/styles/site.css": "body {}",
    "OPS/Restart_65538.html": page(
      "Restart",
      '<h2 id="Restart-Steps">Steps</h2><div class="toc-macro"><ul><li><a href="#Restart-Steps">Steps</a></li></ul></div><ol><li>Stop</li><li>See <a href="Stop-it_65540.html#Stopit-How">how</a></li></ol>' +
        '<div class="confluence-information-macro confluence-information-macro-note"><p class="title">Mind</p><span class="aui-icon aui-icon-small"></span><div class="confluence-information-macro-body"><p>Hot</p></div></div>' +
        '<p><span class="confluence-embedded-file-wrapper"><img class="confluence-embedded-image" src="attachments/65538/65541.png" data-linked-resource-default-alias="valve.png"></span></p>' +
        '<div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: bash; gutter: false">ls | wc</pre></div></div>' +
        '<ul class="inline-task-list" data-inline-tasks-content-id="1"><li class="checked" data-inline-task-id="1"><span>done</span></li><li data-inline-task-id="2"><span>open</span></li></ul>' +
        '<p><a href="attachments/65538/65542.pdf">sheet</a></p>',
    ),
    "OPS/Stop-it_65540.html": page("Stop it", "<h2>How</h2><p>Back: <a href='Restart_65538.html'>Restart</a></p>"),
    "OPS/attachments/65538/65541.png": png,
    "OPS/attachments/65538/65542.pdf": "%PDF-1.7 x",
  };

  test("pages, macros, tasks, attachments and links come along; the list of pages is left out", async () => {
    const { layout, texts, leftOut } = await importZip(files);
    expect(layout).toBe("confluence");
    expect(leftOut).toEqual(["OPS/index.html: the list of the space's pages"]);
    const text = texts["OPS/Restart_65538.html"] ?? "";
    expect(readMarkdownDocument({ path: "x", text }).frontMatter.title).toBe("Restart");
    expect(text).not.toMatch(/Created by|Operations/);
    expect(text).toContain("1. Stop\n2. See [how](→OPS/Stop-it_65540.html#Stopit-How)\n");
    expect(text).toContain("> [!WARNING]\n> **Mind**\n>\n> Hot\n");
    expect(text).toContain(`![valve](${asset})`);
    expect(text).toContain("```bash\nls | wc\n```");
    expect(text).toContain("- [x] done\n- [ ] open\n");
    expect(text).toMatch(/\[sheet\]\(\/api\/assets\/[0-9a-f]{64}\.pdf\)/);
  });

  test("storage format: macros, attachments and links by their names", async () => {
    const { texts, notes } = await importTree({
      "a.html":
        '<p>x</p><ac:structured-macro ac:name="warning"><ac:rich-text-body><p>Hot</p></ac:rich-text-body></ac:structured-macro><ac:image><ri:attachment ri:filename="a b.png"/></ac:image><p><ac:link><ri:page ri:content-title="Other"/><ac:plain-text-link-body><![CDATA[the <other>]]></ac:plain-text-link-body></ac:link></p><ac:structured-macro ac:name="jira"><ac:parameter ac:name="key">OPS-1</ac:parameter></ac:structured-macro>',
      "Other.html": "<h1>Other</h1><p>y</p>",
      "a b.png": png,
    });
    expect(texts["a.html"]).toContain("> [!CAUTION]\n> Hot\n");
    expect(texts["a.html"]).toContain(`![a b](${asset})`);
    expect(texts["a.html"]).toContain("](→Other.html)");
    expect(notes["a.html"]).toContain("1 macro jira: only the text was kept");
  });
});

describe("a page in Confluence's storage format", () => {
  const page = '<p>Look:</p><ac:image><ri:attachment ri:filename="pump (2) \u00e4.png"/></ac:image>';

  test.each(["NFC", "NFD"] as const)("is read as .xml, with an attachment whose name is in %s", async (form) => {
    const { texts, notes } = await importTree(
      { "w/page.xml": page, [`w/${"pump (2) \u00e4.png".normalize(form)}`]: png, "w/entities.xml": "<x/>" },
      "confluence",
    );
    expect(Object.keys(texts)).toEqual(["w/page.xml"]);
    expect(texts["w/page.xml"]).toContain(asset);
    expect(notes["w/page.xml"]).toEqual([]);
  });

  test("is found by its title in NFD", async () => {
    const { texts } = await importTree({
      "a.html": '<p><ac:link><ri:page ri:content-title="Pr\u00fcfung" /></ac:link></p>',
      "Pru\u0308fung.html": "<p>x</p>",
    });
    expect(texts["a.html"]).toContain("](→Pru\u0308fung.html)");
  });
});

describe("Google Docs", () => {
  test("styles, lists and links by way of Google's redirect", async () => {
    const html =
      '<html><head><meta content="text/html; charset=UTF-8" http-equiv="content-type"><style type="text/css">ul.lst-kix_x-0{list-style-type:none}.c1{font-weight:700}.c2{font-style:italic}.c3{color:#000}</style></head><body class="c3 doc-content"><p class="c3 title" id="h.1"><span>Close up</span></p><p><span class="c1">Warning: </span><span class="c2">hot</span> <a href="https://www.google.com/url?q=https://example.org/a?b%3Dc&amp;sa=D&amp;source=editors&amp;ust=1&amp;usg=x">there</a></p>' +
      '<ol class="c4 lst-kix_a-0 start" start="1"><li>one</li></ol><ol class="c4 lst-kix_a-1 start" start="1"><li>sub</li></ol><ol class="c4 lst-kix_a-0" start="2"><li>two</li></ol><p>Remark.</p><ol class="c4 lst-kix_a-0" start="3"><li>three</li></ol>' +
      '<p><span style="overflow: hidden; display: inline-block"><img alt="" src="images/image1.png" style="width: 1px"></span></p></body></html>';
    const { layout, texts } = await importZip({ "Close up.html": html, "images/image1.png": png });
    expect(layout).toBe("gdocs");
    const text = texts["Close up.html"] ?? "";
    expect(text).toContain("# Close up\n");
    expect(text).toContain("**Warning:** _hot_ [there](https://example.org/a?b=c)");
    expect(text.replace(/\n\n/g, "\n")).toContain("1. one\n   1. sub\n2. two\nRemark.\n3. three\n");
    expect(text).toContain(`![](${asset})`);
  });
});

describe("Markdown trees", () => {
  test("images of directives, shortcodes and links of roles (MyST, Hugo)", async () => {
    const { texts, notes } = await importTree({
      "a.md":
        '---\ntitle: A\n---\n\n```{figure} img/pic.png\n:alt: A pic\n:width: 9px\n\nBelow it.\n```\n\nSee {doc}`the other <b>`.\n\n{{< figure src="img/pic.png" alt="B" >}}\n\n:::note\nText\n',
      "b.md": "x\n",
      "img/pic.png": png,
    });
    expect(texts["a.md"]).toContain(`![A pic](${asset} "Below it.")`);
    expect(texts["a.md"]).toContain("See [the other](→b.md).");
    expect(texts["a.md"]).toContain(`![B](${asset})`);
    expect(notes["a.md"]).toContain("{figure} became an image, without width: 9px");
    expect(notes["a.md"]).toContain(":::note isn't complete and stays as text");
  });

  test("wiki links, embeds and callouts (Obsidian)", async () => {
    const { texts, notes } = await importTree({
      "vault/a.md":
        "---\naliases: [First]\n---\nSee [[b]], [[Deep/c|the c]], [[b#Two words]], [[nowhere]].\n\n![[pic.png|100]]\n\n> [!danger] Hot\n> Stay away.\n\n`[[b]]`\n",
      "vault/b.md": "Back to [[First]].\n",
      "vault/Deep/c.md": "x\n",
      "vault/attachments/pic.png": png,
    });
    expect(texts["vault/a.md"]).toContain(
      "See [b](→vault/b.md), [the c](→vault/Deep/c.md), [b](→vault/b.md#two-words), [[nowhere]].",
    );
    expect(texts["vault/a.md"]).toContain(`![pic.png](${asset})`);
    expect(texts["vault/a.md"]).toContain("> [!DANGER]\n> **Hot**\n>\n> Stay away.");
    expect(texts["vault/a.md"]).toContain("`[[b]]`");
    expect(notes["vault/a.md"]).toContain("[[nowhere]] leads to nothing in this import and stays as text");
    expect(texts["vault/b.md"]).toBe("Back to [First](→vault/a.md).\n");
  });

  test.each([
    ["Jekyll", "[x]({% link docs/b.md %})", "docs/b.md", ""],
    ["Jekyll's permalinks", "[x](/teams/b/)", "docs/b.md", "permalink: /teams/b/\n"],
    ["Hugo", '[x]({{< relref "b.md" >}})', "docs/b.md", ""],
    ["Hugo's addresses", "[x](/docs/b/)", "docs/b.md", ""],
    ["MkDocs", "[x](b.md#two)", "docs/b.md#two", ""],
    ["pages that were built", "[x](b.html)", "docs/b.md", ""],
    ["references", "[x]\n\n[x]: b.md", "docs/b.md", ""],
    ["HTML", '<a href="b.md">x</a>', "docs/b.md", ""],
    ["another folder", "[x](../docs/./b.md)", "docs/b.md", ""],
  ])("links as %s writes them: %s", async (_, link, target, header) => {
    const { texts } = await importTree({ "docs/a.md": `${link}\n`, "docs/b.md": `---\ntitle: B\n${header}---\nx\n` });
    expect(texts["docs/a.md"]).toContain(`→${target}`);
  });

  test.each([
    ["from its page", "[x](../../../c/d/#two)", "docs/c/d.md#two"],
    ["from its page to one beside it", "[x](../a/)", "docs/a/b/a.md"],
    ["to an index", "[x](../../../c/)", "docs/c/index.md"],
    ["from the file", "[x](../../c/d/)", "docs/c/d.md"],
    ["to a page that was built", "[x](../../c/d/index.html)", "docs/c/d.md"],
    ["to a file", "[x](../../c/d.md?plain=1#two)", "docs/c/d.md#two"],
    ["to README.md for index.md", "[x](../../c/README.md)", "docs/c/index.md"],
    ["with escapes", "[x](my\\_file.md)", "docs/a/b/my_file.md"],
    ["in another case", "[x](../../C/D.md)", "docs/c/d.md"],
    ["in NFC", "[x](Pr\u00fcfung.md)", "docs/a/b/Pru\u0308fung.md"],
    ["in NFC and encoded", "[x](Pr%C3%BCfung.md)", "docs/a/b/Pru\u0308fung.md"],
    ["in NFC by its name", "[[Pr\u00fcfung]]", "docs/a/b/Pru\u0308fung.md"],
  ])("a link %s arrives: %s", async (_, link, target) => {
    const { texts, notes } = await importTree({
      "docs/a/b/page.md": `${link}\n`,
      "docs/a/b/a.md": "x\n",
      "docs/a/b/my_file.md": "x\n",
      "docs/a/b/Pru\u0308fung.md": "x\n",
      "docs/c/d.md": "## Two\n",
      "docs/c/index.md": "x\n",
    });
    expect(texts["docs/a/b/page.md"]).toContain(`](→${target})`);
    expect(notes["docs/a/b/page.md"]).toEqual([]);
  });

  test("links that can mean two documents count as most links of the import", async () => {
    const files = { "docs/c.md": "x\n", "docs/a/c.md": "x\n", "docs/a/d.md": "x\n", "docs/e.md": "x\n" };
    const page = await importTree({ ...files, "docs/a/b.md": "[x](../c/) [y](../d/)\n" });
    expect(page.texts["docs/a/b.md"]).toBe("[x](→docs/a/c.md) [y](→docs/a/d.md)\n");
    const file = await importTree({ ...files, "docs/a/b.md": "[x](../c/) [y](../e/)\n" });
    expect(file.texts["docs/a/b.md"]).toBe("[x](→docs/c.md) [y](→docs/e.md)\n");
  });

  test.each([
    ["a - b", "#a-b", "#a---b"],
    ["Pr\u00fcfung", "#prufung", "#pr\u00fcfung"],
    ["Lid {#top-of-it}", "#top-of-it", "#lid"],
    ["Lid", "#LID", "#lid"],
    ['<a id="old"></a>Lid', "#old", "#lid"],
    ["Lid", "#lid", "#lid"],
  ])("links to the heading %j arrive as %s", async (heading, written, expected) => {
    const { texts, notes } = await importTree({
      "a.md": `[x](b.md${written})\n`,
      "b.md": `## ${heading}\n\n[x](${written}) [y]\n\n[y]: ${written}\n`,
    });
    expect(texts["a.md"]).toBe(`[x](→b.md${expected})\n`);
    expect(texts["b.md"]).toContain(`[x](${expected}) [y]\n\n[y]: ${expected}\n`);
    expect([...(notes["a.md"] ?? []), ...(notes["b.md"] ?? [])].filter((note) => /link/.test(note))).toEqual([]);
  });

  test("a link to no heading of another document is named", async () => {
    const { notes } = await importTree({ "a.md": "[x](b.md#gone) [y](b.md#lid)\n", "b.md": "## Lid\n" });
    expect(notes["a.md"]).toEqual(["the link b.md#gone leads to no heading"]);
  });

  test("a tag that becomes an address isn't called kept", async () => {
    const { texts, notes } = await importTree({
      "a.md": 'See [b]({{< ref "b.md" >}}) and {{< x >}}.\n',
      "b.md": "# B\n\nText.\n",
    });
    expect(texts["a.md"]).toContain("[b](→b.md)");
    expect(notes["a.md"]).toEqual(["{{< x >}} is kept as written"]);
  });

  test("embedded texts and headings that aren't there are named", async () => {
    const { texts, lines } = await importTree({
      "vault/a.md": "![[b#Two words]]\n\nSee [[b#Two words]] and [[b#^abc123]].\n",
      "vault/b.md": "## Two words\n\nText ^abc123\n",
    });
    expect(texts["vault/a.md"]).toContain("[b](→vault/b.md#two-words)\n\nSee [b](→vault/b.md#two-words)");
    expect(lines["vault/a.md"]).toEqual(
      expect.arrayContaining([
        "3: the link [[b#^abc123]] leads to no heading",
        "1: ![[b#Two words]] became a link: the text it shows is another document",
      ]),
    );
  });

  test("a wiki link to the page of a folder has the page's title, or the folder's name", async () => {
    const { texts } = await importTree({
      "a.md": "[[pumps/README.md]] [[lids/README]] [[pumps/valve.md]] [[lids/index|All lids]]\n",
      "pumps/README.md": "# All pumps\n",
      "pumps/valve.md": "x\n",
      "lids/README.md": "x\n",
      "lids/index.md": "x\n",
    });
    expect(texts["a.md"]).toBe(
      "[All pumps](→pumps/README.md) [lids](→lids/README.md) [valve](→pumps/valve.md) [All lids](→lids/index.md)\n",
    );
  });

  test("a document that can't be read leaves the addresses of links to it, and is linked once it can", async () => {
    const files = { "a.md": "[b](../b/#x)\n", "b.md": "" };
    const { texts, notes, sums } = await importTree(files);
    expect(texts["a.md"]).toBe(files["a.md"]);
    expect(notes["a.md"]).toEqual(["the link ../b/#x leads to a document that can't be imported"]);
    const repaired = await importTree({ ...files, "b.md": "## X\n" });
    expect(repaired.texts["a.md"]).toBe("[b](→b.md#x)\n");
    expect(repaired.sums["a.md"]).not.toBe(sums["a.md"]);
  });

  test("an image in NFD comes along, and one that HTML counts from its page", async () => {
    const { texts } = await importTree({
      "docs/a.md": '![p](Pr\u00fcfung.png)\n\n<img src="../img/p.png" alt="q">\n',
      "docs/Pru\u0308fung.png": png,
      "docs/img/p.png": png,
    });
    expect(texts["docs/a.md"]?.split(asset).length).toBe(3);
  });

  test("an address of the site leads to the page in the site's own folder", async () => {
    const { texts } = await importTree({
      "site/pages/a.md": '[x]({% page "/teams/b/#two" %}) [y](/teams/b/)\n',
      "site/pages/teams/b.md": "x\n",
    });
    expect(texts["site/pages/a.md"]).toBe("[x](→site/pages/teams/b.md#two) [y](→site/pages/teams/b.md)\n");
  });

  test("pages of Docusaurus lead to one another, with their ending and without", async () => {
    const { texts } = await importTree({
      "docs/a.mdx": "[b](./b.mdx) [c](/c/)\n",
      "docs/b.mdx": "x\n",
      "docs/c/index.mdx": "x\n",
    });
    expect(texts["docs/a.mdx"]).toBe("[b](→docs/b.mdx) [c](→docs/c/index.mdx)\n");
  });

  test.each(["static", "public", "docs/assets"])(
    "an image of the site comes along from its folder %s",
    async (folder) => {
      const { texts, notes } = await importTree({
        "work/site/docs/guides/a.md": "![x](/img/p.png)\n",
        [`work/site/${folder}/img/p.png`]: png,
      });
      expect(texts["work/site/docs/guides/a.md"]).toBe(`![x](${asset})\n`);
      expect(notes["work/site/docs/guides/a.md"]).toEqual([]);
    },
  );

  test("what leads out, into code or nowhere stays as it is written", async () => {
    const text =
      "[a](../../../etc/passwd) [b](https://x.org/b.md) [c](#b) [d](gone.md) `[e](b.md)`\n\n    [f](b.md)\n\n![g](../../secret.png)\n";
    const { texts, notes } = await importTree({ "docs/a.md": text, "docs/b.md": "x\n" });
    expect(texts["docs/a.md"]).toBe(text);
    expect(notes["docs/a.md"]).toEqual([
      "../../secret.png is not there",
      "2 links lead to no document of this import: ../../../etc/passwd (line 1), gone.md (line 1)",
      "the link #b leads to no heading",
    ]);
  });

  test("images come along however they are named, and missing ones have the line of the file", async () => {
    const { texts, lines } = await importTree({
      "docs/a.md": [
        "---\ntitle: A\n---\n\n<img src='p.png' width=200>\n\nText <img src=p.png alt=x> more.\n\n![one][p]\n",
        "```{image} p.png\n:alt: two\n```\n\n```{figure} ../docs/p.png\nThe pump\n```\n",
        '> <img src="gone.png">\n\n```{image} lost.png\n```\n\n[p]: ./p.png\n',
      ].join("\n"),
      "docs/p.png": png,
    });
    expect(texts["docs/a.md"]?.split(asset).length).toBe(6);
    expect(texts["docs/a.md"]).not.toContain("p.png");
    expect(texts["docs/a.md"]).toContain(`Text <img src="${asset}" alt=x> more.`);
    expect(lines["docs/a.md"]).toContain("19: 2 images or files are not there: gone.png (line 19), lost.png (line 21)");
  });

  test("pictures that can't be stored are named", async () => {
    const { texts, notes } = await importTree({
      "a.md": "![a](a.svg) ![b](lfs.png) ![c](big.png)\n",
      "a.svg": "<svg/>",
      "lfs.png": "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n",
      "big.png": new Uint8Array(5 * 1024 * 1024 + 1),
    });
    expect(texts["a.md"]).toBe("![a](a.svg) ![b](lfs.png) ![c](big.png)\n");
    expect(notes["a.md"]).toEqual([
      expect.stringContaining("SVG can't: save it as PNG"),
      expect.stringContaining("pointer of Git LFS"),
      expect.stringContaining("larger than 5 MiB"),
    ]);
  });

  test("a document is known by its bytes and by what it shows", async () => {
    const tree = { "a.md": "![p](p.png) [b](b.md)\n", "b.md": "x\n", "p.png": png };
    const [before, same] = [await importTree(tree), await importTree(tree)];
    expect(before.sums).toEqual(same.sums);
    expect(before.sums["b.md"]).toBe(sha256("x\n"));
    const other = await importTree({ ...tree, "p.png": Uint8Array.from([...png, 0]) });
    expect(other.sums["a.md"]).not.toBe(before.sums["a.md"]);
    expect((await importTree({ "a.md": tree["a.md"], "p.png": png })).sums["a.md"]).not.toBe(before.sums["a.md"]);
  });
});

describe("one HTML page", () => {
  test("pictures inside the text come out of it, other encodings are read and said", async () => {
    const data = `<meta charset="windows-1252"><h1>T\xe4st</h1><img alt="p" src="data:image/png;base64,${btoa(String.fromCharCode(...png))}">`;
    const { texts, notes } = await importTree({ "a.html": Uint8Array.from(data, (c) => c.charCodeAt(0)) });
    expect(texts["a.html"]).toContain("# Täst");
    expect(texts["a.html"]).toContain(`![p](${asset})`);
    expect(notes["a.html"]).toContain("the text is not UTF-8 and was read as windows-1252");
  });

  test("scripts, frames and handlers are gone", async () => {
    const { texts } = await importTree({
      "a.html":
        '<h1>T</h1><script>alert(1)</script><p onclick="x()">a<a href="javascript:x()">b</a></p><iframe src="x"></iframe>',
    });
    expect(texts["a.html"]).toBe("# T\n\nab\n");
  });
});

describe("--from", () => {
  test("takes one kind and names the others", async () => {
    const { texts, leftOut } = await importTree({ "a.md": "# A\n", "b.html": "<h1>B</h1><p>x</p>" }, "html");
    expect(Object.keys(texts)).toEqual(["b.html"]);
    expect(leftOut).toEqual(["a.md: it is not what --from html names"]);
  });
});

describe("targets of MyST in other files", () => {
  const files = {
    "docs/a.md":
      "# A\n\n(start-here)=\n## Start\n\nSee {ref}`clean-up`, {ref}`the end <clean-up>`, {ref}`nowhere` and [it](sub/b%20(1).md#clean-up).\n",
    "docs/sub/b (1).md": "# B\n\n(clean-up)=\n## Clean up after\n\nBack to {ref}`start-here` and {ref}`clean-up`.\n",
  };

  test("lead to their headings, those that no file has are kept and reported", async () => {
    const { texts, lines } = await importTree(files);
    expect(texts["docs/a.md"]).toContain(
      "See [Clean up after](→docs/sub/b (1).md#clean-up-after), [the end](→docs/sub/b (1).md#clean-up-after), {ref}`nowhere` and [it](→docs/sub/b (1).md#clean-up-after).",
    );
    expect(texts["docs/sub/b (1).md"]).toContain(
      "Back to [Start](→docs/a.md#start) and [Clean up after](#clean-up-after).",
    );
    expect(lines["docs/a.md"]).toContain("6: {ref}`nowhere` is kept as written");
    expect(lines["docs/a.md"]).toContain("6: {ref}`clean-up` became a link to sub/b%20%281%29.md#clean-up-after");
  });

  test("a heading with another name is a change of the file that links to it", async () => {
    const before = (await importTree(files)).sums["docs/a.md"];
    const renamed = files["docs/sub/b (1).md"].replace("Clean up after", "Tidy");
    const after = (await importTree({ ...files, "docs/sub/b (1).md": renamed })).sums["docs/a.md"];
    expect(after).not.toBe(before);
  });
});
