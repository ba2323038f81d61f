import { messageAndReasonOf } from "#core/language/catalog.ts";
import { describe, expect, it } from "vitest";
import { AppError } from "#core/errors.ts";
import { fileTextOf } from "#core/markdown/front-matter.ts";
import { canonicalBody } from "./canonical-body.ts";
import { assertHeaderReadable, readMarkdownDocument, type MarkdownDocument } from "./markdown-file.ts";
import { texts as constructTexts } from "../../dialects/texts.ts";
import { mergedNotes } from "./report.ts";

function read(text: string, path = "guides/reset-a-password.md"): MarkdownDocument {
  return readMarkdownDocument({ path, text });
}

function codes(document: MarkdownDocument): string[] {
  return document.report.map(({ code, line }) => (line === undefined ? code : `${code}:${line}`));
}

describe("front matter", () => {
  it("of Jekyll: names mapped, the rest kept under x-", () => {
    const document = read(
      "---\nlayout: page\nname: Reset\nsummary: How.\nlanguage: de\ntags: access\ndraft: true\n---\nText\n",
    );
    expect(document.frontMatter).toEqual({
      title: "Reset",
      description: "How.",
      lang: "de",
      tags: ["access"],
      "x-layout": "page",
      "x-draft": true,
    });
    const kept = document.report.filter(({ message }) => message.startsWith("kept"));
    expect(kept.map(({ line, message }) => [line, message])).toEqual([
      [2, "kept under x-: layout"],
      [7, "kept under x-: draft"],
    ]);
  });

  it("of Hugo in TOML", () => {
    const { frontMatter, body } = read(
      '+++\ntitle = "Reset"\ndate = 2026-01-02\ntags = ["a", "b"]\n[params]\nweight = 3\n+++\n\nText\n',
    );
    expect(frontMatter).toMatchObject({
      title: "Reset",
      tags: ["a", "b"],
      "x-date": "2026-01-02",
      "x-params-weight": 3,
    });
    expect(body).toBe("Text\n");
  });

  it("without an opening line", () => {
    const document = read("name: Access\nsatisfies:\n  TSC:\n    - CC6.1\n---\n# Purpose\n\nText\n");
    expect(document.frontMatter).toMatchObject({ title: "Access", satisfies: ["TSC:CC6.1"] });
    expect(document.body).toBe("## Purpose\n\nText\n");
    expect(codes(document)).toContain("header-block:1");
  });

  it("is not seen in an underlined heading", () => {
    expect(read("Note: read this\n---\n\nText\n").body).toBe("## Note: read this\n\nText\n");
  });

  it("is kept as it is written, with the same file after a second import", () => {
    const { frontMatter, body } = read(
      `---\ntitle: '001999'\nnumber: QM-012\ncountry: NO\nrevision: 1.10\nform: 010\ncode: 0x1F\nshift_start: 22:30\neffective: 2026-03-29\napproved: yes\nref: 08\nauthor: "O'Neil: lead"\n---\n\nText.\n`,
    );
    expect(frontMatter).toMatchObject({
      title: "001999",
      number: "QM-012",
      effective: "2026-03-29",
      "x-country": "NO",
      "x-revision": "1.10",
      "x-form": "010",
      "x-code": "0x1F",
      "x-shift-start": "22:30",
      "x-approved": "yes",
      "x-ref": "08",
      "x-author": "O'Neil: lead",
    });
    const file = fileTextOf(frontMatter, body);
    const again = read(file);
    expect(fileTextOf(again.frontMatter, again.body)).toBe(file);
  });

  it.each([
    [
      "Title: A\nOwner: anna\nTags: [x]\nReview_by: 2027-01-02\nDescription: D",
      { title: "A", owner: "anna", tags: ["x"], review_by: "2027-01-02", description: "D" },
    ],
    ["Review By: 2027-01-02\nEffective-Date: 2026-01-02", { review_by: "2027-01-02", effective: "2026-01-02" }],
    ["Name: N\nTITLE: A", { title: "A", "x-name": "N" }],
    ["Title: B\ntitle: A", { title: "A", "x-title": "B" }],
    ["Version: 0.3\nTemplate: maybe", { "x-version": "0.3", "x-template": "maybe" }],
  ])("has keys in any case: %j", (header, front) => {
    expect(read(`---\n${header}\n---\n\nText\n`).frontMatter).toMatchObject(front);
  });

  it.each([
    ["effective: 2027-10-01T00:00:00Z", "effective"],
    ["effective: 2027-10-01 00:00:00Z", "effective"],
    ["effective: '2027-10-01T00:00:00.000+00:00'", "effective"],
    ["effective: ' 2027-10-01 '", "effective"],
    ["Effective_Date: 2027-10-01T00:00Z", "effective"],
    ["review_by: 2027-10-01T00:00:00Z", "review_by"],
  ])("has a day as it can be written for a call: %s", (header, key) => {
    expect(read(`---\n${header}\n---\n\nText\n`).frontMatter).toMatchObject({ [key]: "2027-10-01" });
  });

  it("refuses an id that can't be read: the file would become a second SOP", () => {
    const id = "018f0000-0000-7000-8000-00000000abcd";
    const written = [
      `"{${id}}"`,
      `urn:uuid:${id}`,
      id.replaceAll("-", ""),
      id.slice(0, -1),
      `${id}0`,
      id.replaceAll("-", "–"),
      `[${id}, ${id}]`,
      `{uuid: ${id}}`,
      id.replace("a", "а"),
      id.replace("018f", "O18f"),
      `<${id}>`,
    ];
    const read = (header: string) => () =>
      readMarkdownDocument({ path: "a.md", text: `---\n${header}\n---\n\nText\n` });
    for (const value of written)
      expect(read(`title: A\nid: ${value}`), value).toThrow(
        /line 3: id: .* can't be read\. Write the id that the server gave/,
      );
    for (const key of ["іd", "ıd", "ｉԁ"])
      expect(read(`title: A\n${key}: ${id}`), key).toThrow(`line 3: ${key}: the key looks like id. Write id`);
    // names and ids of other tools
    for (const value of ["intro", "42", "507f1f77bcf86cd799439011", "da39a3ee5e6b4b0d3255bfef95601890afd80709"])
      expect(read(`id: ${value}`)().frontMatter, value).not.toHaveProperty("id");
    expect(read(`ID: ${id.toUpperCase()}`)().frontMatter.id).toBe(id);
  });

  const keys = 'sop: "SOP-0007"\nid: "0198a3c2-7b1e-7c3f-9a01-3f6b2c9d4e5f"\nversion: 3\ntitle: Mix\n';
  it.each([
    `\n---\n${keys}---\n\nMix it.\n`,
    `Draft only\n\n---\n${keys}---\n\nMix it.\n`,
    `---\n${keys}\nMix it.\n`,
    `----\n${keys}---\n\nMix it.\n`,
    ` ---\n${keys}---\n\nMix it.\n`,
    `Draft only\n\n---\nsop: SOP-0007\ntitle: Mix\n---\n\nMix it.\n`,
    `> note\n\n  ${keys.split("\n")[1]}\n\nMix it.\n`,
  ])("that isn't read refuses the file, which would become a second SOP: %j", (text) => {
    expect(() => read(text)).toThrow(/line \d names an SOP, but the front matter isn't read/);
    expect(() => assertHeaderReadable(text)).toThrow(AppError);
  });

  it.each([
    `# Write front matter\n\n\`\`\`yaml\n---\n${keys}---\n\`\`\`\n`,
    "See below.\n\n---\n\nsop: the word for a procedure\n",
    "Write id: the number of the tank.\n",
  ])("is an example or a word in a text: %j", (text) => {
    expect(read(text).frontMatter.id).toBeUndefined();
  });

  it("refuses a number that can't be read: the file would become a second SOP", () => {
    const values = ["SOP#15", "16#18", "SOP/15", "0x0F", "SOP-٠٠٧٧", "SOP-077²", "SOP²-0077", "7²", "SOP-⑦", "SOP-Ⅶ"];
    for (const value of values)
      expect(() => read(`---\nsop: "${value}"\ntitle: T\n---\n\nText\n`)).toThrow(
        `line 2: sop: ${value} can't be read. Write a number such as SOP-0042, or remove the line`,
      );
    for (const value of ["{number: SOP-0077}", "[[SOP-0077]]", "[SOP-0077, SOP-0078]", "{a: b}", "true"])
      expect(() => read(`---\nsop: ${value}\ntitle: T\n---\n\nText\n`)).toThrow(
        /line 2: sop: .* can't be read\. Write/,
      );
    for (const key of ["ѕop", "sор", "ЅОР"])
      expect(() => read(`---\ntitle: T\n${key}: SOP-0077\n---\n\nText\n`)).toThrow(
        `line 3: ${key}: the key looks like sop. Write sop`,
      );
    for (const key of ["ſop", "ｓｏｐ", "SOP ", "s\u200bop", '"sop "'])
      expect([key, read(`---\ntitle: T\n${key}: SOP-0077\n---\n\nText\n`).frontMatter.sop]).toEqual([key, "SOP-0077"]);
    expect(() => read("---\nsop: SOP#15\ntitle: T\nowner: [a, b]\n---\n\nText\n")).toThrow(
      /line 2: sop: SOP#15 can't .*\. line 4: owner: .* can't/,
    );
    expect(read("---\nsop: yes please\ntitle: T\n---\n\nText\n").frontMatter.sop).toBeUndefined();
  });

  it.each([
    ["effective: soon", "Write the date as YYYY-MM-DD, from 1900 to 2999"],
    ["effective: 2027-10-01 00:00:00", "Write the date as YYYY-MM-DD, from 1900 to 2999"],
    ["effective: 2027-10-01T22:00:00-05:00", "Write the date as YYYY-MM-DD, from 1900 to 2999"],
    ["effective: 0000-01-01", "Write the date as YYYY-MM-DD, from 1900 to 2999"],
    ["review_date: 1 Oct 2027", "Write the date as YYYY-MM-DD, from 1900 to 2999"],
    ['review_by: ["2027-01-02"]', "Write the date as YYYY-MM-DD, from 1900 to 2999"],
    ["read_minutes: 0", "Write a whole number from 1 on"],
    ["read_minutes: a few", "Write a whole number from 1 on"],
    ["version: 1.2", "Write a whole number from 1 on"],
    ['version: "1"', "Write a whole number from 1 on, without quotes"],
    ['ai_generated: "false"', "Write true or false, without quotes"],
    ["template: perhaps", "Write true or false"],
    ["ai_generated: 3", "Write true or false"],
    ['tags: {"a":1}', "Write a list of texts"],
    ['satisfies: [["a"]]', "Write a list of texts"],
    ["id: intro", "Write the id that the server gave, or remove the line"],
    ["lang: in English", "Write a language such as en or de-CH"],
    ['owner: ["a","b"]', "Write a text"],
  ])("has a value that can't be read: an import notes it, a push refuses it: %s", (header, wayOut) => {
    const file = `---\ntitle: T\n${header}\n---\n\nText\n`;
    const { frontMatter, report } = read(file);
    const [key = ""] = header.split(": ");
    expect(frontMatter).not.toHaveProperty(key === "review_date" ? "review_by" : key);
    const [note] = report.filter(({ code }) => code === "unread-key");
    expect(note).toMatchObject({ line: 3, message: expect.stringContaining(`${key}: `) });
    expect(note?.message).toBe(`${header} can't be read. ${wayOut}`);
    expect(() => assertHeaderReadable(file)).toThrow(`line 3: ${note?.message}`);
  });

  it("has a key with letters of other scripts: an import notes it, a push refuses it", () => {
    for (const [key, own] of Object.entries({ оwner: "owner", tаgs: "tags", titlе: "title", review_bу: "review_by" })) {
      const file = `---\nsop: SOP-0001\n${key}: mo1\n---\n\nText\n`;
      const note = `${key}: the key looks like ${own}. Write ${own}`;
      expect(read(file).report).toContainEqual(
        expect.objectContaining({ code: "unread-key", line: 3, message: note, key: own }),
      );
      expect(() => assertHeaderReadable(file)).toThrow(`line 3: ${note}`);
    }
    expect(() => assertHeaderReadable("---\nversión: 2.1\nnúmero: 7\n---\n\nText\n")).not.toThrow();
  });

  it("with blank values has none, and a push takes it", () => {
    const blank = "---\ntitle: T\neffective: ''\nreview_by: ' '\nread_minutes:\ntags: []\n---\n\nText\n";
    expect(() => assertHeaderReadable(blank)).not.toThrow();
    expect(read(blank).frontMatter).not.toHaveProperty("x-review-by");
  });

  it("has comments, and the report names them", () => {
    const yaml = read('---\n# Owner: QA\ntitle: "A # B"\nteam: x # until May\n---\n\nText\n');
    const toml = read('+++\ntitle = "A # B" # draft\n+++\n\nText\n');
    const notes = [yaml, toml].map(({ report }) => report.filter(({ code }) => code === "front-matter"));
    expect(notes[0]).toMatchObject([
      { line: 2, message: "left out, because front matter has no comments: # Owner: QA and 1 more comment" },
    ]);
    expect(notes[1]?.map(({ line, message }) => `${line}: ${message}`)).toContain(
      "2: left out, because front matter has no comments: # draft",
    );
    expect([yaml, toml].map(({ frontMatter }) => frontMatter.title)).toEqual(["A # B", "A # B"]);
  });

  it("of Hugo keeps numbers as they are written", () => {
    const { frontMatter } = read(
      "+++\ntitle = 'A'\nform = 010\nrevision = 1.10\nlist = [1.10, 7, \"a, b\"]\ncode = 0x1F\nlong = 12345678901234567890\nat = 2026-01-02 10:20:30 # x\n+++\n\nText\n",
    );
    expect(frontMatter).toMatchObject({
      "x-form": "010",
      "x-revision": "1.10",
      "x-list": ["1.10", "7", "a, b"],
      "x-code": "0x1F",
      "x-long": "12345678901234567890",
      "x-at": "2026-01-02 10:20:30",
    });
  });

  it("keeps ids of other systems apart from ours", () => {
    expect(read("---\nid: offboard\nsop: 12\nversion: draft\n---\nText\n").frontMatter).toMatchObject({
      "x-id": "offboard",
      sop: "12",
      "x-version": "draft",
    });
  });
});

describe("title and description", () => {
  it("come from the first heading and the first paragraph", () => {
    const document = read("# Reset a **password**\n\n![pic](x.png)\n\nCall the [desk](y).\n\n## Steps\n\n1. Go\n");
    expect(document.frontMatter).toMatchObject({ title: "Reset a password", description: "pic" });
    expect(document.body).toBe("![pic](x.png)\n\nCall the [desk](y).\n\n## Steps\n\n1. Go\n");
    expect(codes(document)).toEqual(["title", "description", "first-heading:1"]);
  });

  it.each([
    [
      "a picture and a comment above it",
      "![logo](x.png)\n\n<!-- v2 -->\n\n{% include x %}\n\n# Reset\n\n# B\n",
      "Reset",
      "first heading",
    ],
    ["the only one of level 1, below a note", "Valid from May.\n\n# Reset\n\n## A\n", "Reset", "first heading"],
    [
      "a lower level, alone of its level",
      "### Wifi in the hall\n\nText\n\n#### Part\n",
      "Wifi in the hall",
      "first heading",
    ],
    ["a break in it", "# Set 80<br>85 °C\n\nText\n", "Set 80 85 °C", "first heading"],
    ["a hard break in it", "Limits 80\\\n85 °C\n===\n\nText\n", "Limits 80 85 °C", "first heading"],
    ["sections only", "## Purpose\n\nText\n\n## Steps\n\n1. Go\n", "Abc", "file name"],
    ["a section above the only one of level 1", "## First\n\nText\n\n# Second\n\nText\n", "Abc", "file name"],
    ["words above one of several of level 1", "Text\n\n# How\n\n# Steps\n", "Abc", "file name"],
    ["words above one of a lower level", "Text\n\n## Notes\n", "Abc", "file name"],
    ["one in a quote only", "> # Quoted\n\nText\n", "Abc", "file name"],
  ])("a title: %s", (_, text, title, from) => {
    const { frontMatter, report } = read(text, "it/abc.md");
    expect(frontMatter.title).toBe(title);
    expect(report.map(({ message }) => message)).toContain(`the title is "${title}", from the ${from}`);
  });

  it("comes from the folder for the folder's own page", () => {
    for (const name of ["index", "README", "_index"])
      expect(read("Text\n", `it/lost-phone/${name}.md`).frontMatter.title).toBe("Lost phone");
    expect(read("Text\n", "README.md").frontMatter.title).toBe("README");
  });

  it("keep the words on both sides of a break apart in a description", () => {
    expect(read("Set point:<br>80 °C\\\nfor 10 min\n").frontMatter.description).toBe("Set point: 80 °C for 10 min");
  });

  it("come from the file name where there is no heading", () => {
    expect(read("| a |\n| - |\n", "x/reset_a-password.v2.md").frontMatter).toEqual({
      title: "Reset a password.v2",
      description: "Reset a password.v2",
    });
  });

  it("are cut at a word, the whole kept", () => {
    const long = "word ".repeat(100).trim();
    const { frontMatter } = read(`# ${long}\n\n${long}\n`);
    expect(frontMatter.title?.length).toBeLessThanOrEqual(200);
    expect(frontMatter.title).toMatch(/word…$/);
    expect(frontMatter["x-title"]).toBe(long);
    expect(frontMatter.description).toMatch(/word…$/);
  });
});

describe("headings", () => {
  it("go one level down where an H1 remains, six stays six", () => {
    const document = read("---\ntitle: T\n---\n# A\n\n## B\n\n###### C\n");
    expect(document.body).toBe("## A\n\n### B\n\n###### C\n");
    expect(codes(document)).toContain("headings:4");
  });

  it("lose a first H1 equal to the title only", () => {
    expect(read("---\ntitle: T\n---\n# T\n\nText\n\n## B\n").body).toBe("Text\n\n## B\n");
    expect(read("---\ntitle: T\n---\nT\n===\n\n# B\n").body).toBe("## B\n");
    expect(read("---\ntitle: T\n---\n## B\n").body).toBe("## B\n");
    expect(read("---\ntitle: T\n---\n![a](b.png)\n\n# T\n\n## B\n").body).toBe("![a](b.png)\n\n## B\n");
  });

  it.each([
    ["words above it", "Text\n\n# T\n\n## B\n", "Text\n\n## T\n\n### B\n"],
    ["a heading above it", "## A\n\n# T\n", "### A\n\n## T\n"],
    ["a lower level", "### T\n\nText\n", "### T\n\nText\n"],
  ])("keep one that is equal to the title: %s", (_, text, body) => {
    expect(read(`---\ntitle: T\n---\n${text}`).body).toBe(body);
  });

  it("leave blocks as they are that can't be written canonically, such as a list in the columns of a grid", () => {
    const grid = '<div class="grid cards">\n\n-   One\n-   [Two][b]\n\n  </div>\n</div>\n\n[b]: b.md\n';
    const document = read(`# Grids\n\n* Three\n\n${grid}`);
    expect(document.body).toBe(`* Three\n\n${grid}`);
    expect(read(document.body).body).toBe(document.body);
    expect(read(`---\ntitle: T\n---\n# Grids\n\n${grid}`).body).toBe(`## Grids\n\n${grid}`);
  });
});

describe("admonitions", () => {
  it("become alerts, their body intact", () => {
    const document = read('!!! danger "Hot *surface*"\n    First\n    - a\n\n    Second\nAfter\n\n!!!tip\n    T\n');
    expect(document.body).toBe(
      "> [!DANGER]\n> **Hot _surface_**\n>\n> First\n>\n> - a\n>\n> Second\n\nAfter\n\n> [!TIP]\n> T\n",
    );
    expect(codes(document)).toEqual(expect.arrayContaining(["admonition:1", "admonition:8"]));
  });

  it("become details where they fold", () => {
    expect(read('??? note "More <x>"\n    a\n\n???+ tip\n    b\n').body).toBe(
      "<details>\n<summary>More &lt;x&gt;</summary>\n\na\n\n</details>\n\n<details open>\n<summary>Tip</summary>\n\nb\n\n</details>\n",
    );
  });

  it("nest, and stand in list items", () => {
    expect(read("- a\n\n    !!! note\n        b\n\n        !!! tip\n            c\n").body).toBe(
      "- a\n\n  > [!NOTE]\n  > b\n  >\n  > > [!TIP]\n  > > c\n",
    );
  });

  it("are left alone in code", () => {
    expect(read("```\n!!! note\n    x\n```\n").body).toBe("```\n!!! note\n    x\n```\n");
  });
});

describe("lettered steps", () => {
  it.each([
    [
      "the reader counts",
      "a. One\n\na. Two\n\n    i. Sub\n\n    i. Sub\n\na. Three\n",
      "1. One\n\n2. Two\n\n   1. Sub\n\n   2. Sub\n\n3. Three\n",
    ],
    [
      "the writer counts",
      "a. One\nb. Two\n    i. x\n    ii. y\nc. Three\n",
      "1. One\n2. Two\n   1. x\n   2. y\n3. Three\n",
    ],
    [
      "with numerals below letters at one indent",
      "a. One\nb. Two\n\ni. x\n\nii. y\n",
      "1. One\n\n2. Two\n\n1) x\n\n2) y\n",
    ],
    ["by letters below numerals", "i. One\nii. Two\na. x\nb. y\n", "1. One\n2. Two\n\n1) x\n2) y\n"],
    [
      "up to i",
      "a. 1\nb. 2\nc. 3\nd. 4\ne. 5\nf. 6\ng. 7\nh. 8\ni. 9\n",
      "1. 1\n2. 2\n3. 3\n4. 4\n5. 5\n6. 6\n7. 7\n8. 8\n9. 9\n",
    ],
    ["under numbers", "10. Ten\n   a. x\n   b. y\n11. Eleven\n", "10. Ten\n    1. x\n    2. y\n11. Eleven\n"],
    ["two columns in", "a. One\n\n  i. x\n\n  Text of x\n\na. Two\n", "1. One\n\n   1. x\n\n   Text of x\n\n2. Two\n"],
    [
      "with numbers a column short of its text",
      "a. One\n    i. x\n\n      1. deep\n\n    i. y\n",
      "1. One\n   1. x\n\n      1. deep\n\n   2. y\n",
    ],
    ["resumed after a table", "a. One\n\n| t |\n| - |\n\nb. Two\n", "1. One\n\n| t |\n| --- |\n\n2. Two\n"],
    ["with code below", "a. One\n\n    ```\n    x\n    ```\n\na. Two\n", "1. One\n\n   ```\n   x\n   ```\n\n2. Two\n"],
  ])("become numbered: %s", (_, text, body) => {
    expect(read(text).body).toBe(body);
  });

  it.each([
    [
      "by number and letter",
      "See 2(b).\n\na. One\nb. Two\n    i. x\n\n        Text of x\n    ii. y\nc. Three\n",
      "See 2(b).\n\n- a. One\n- b. Two\n  - i. x\n\n    Text of x\n  - ii. y\n- c. Three\n",
    ],
    ["by letter", "a. One\n\nb. Go back to step a.\n", "- a. One\n\n- b. Go back to step a.\n"],
    [
      "that readers count",
      "Section 2(b) says so.\n\na. One\n\na. Two\n\n    i. x\n\n    i. y\n",
      "Section 2(b) says so.\n\n- a. One\n\n- b. Two\n\n  - i. x\n\n  - ii. y\n",
    ],
  ])("keep letters that the text cites: %s", (_, text, body) => {
    const { body: stored, report } = read(text);
    expect(stored).toBe(body);
    expect(report.map(({ message }) => message).join()).toMatch(
      /\d lettered steps became bullets that begin with their letters/,
    );
    expect(read(stored).body).toBe(stored);
  });

  it.each([
    "In step a user signs.\n\na. One\nb. Two\n",
    "The item(s) of f(b), (c) 2020.\n\na. One\nb. Two\n",
    "```\n2(b)\n```\n\na. One\nb. Two\n",
    "a. Sub-step a.\nb. Sub-step b\n\nText\n\na. One\nb. Two\n",
  ])("become numbered where no place cites them: %j", (text) => {
    expect(read(text).body).toMatch(/\n1\. One\n2\. Two\n$/);
  });

  it.each([
    "This is plan\nb. not a step\n",
    "c. elegans is a worm\n",
    "- a\n- b\n\n  1. c\n\n3. d\n".replace("\n3. d", "\n<!-- -->\n\n3. d"),
    "```\na. code\n```\n",
  ])("are not seen in %j", (text) => {
    const document = read(text);
    expect(document.body).toBe(text);
    expect(codes(document)).not.toContain("lettered-steps");
  });
});

it("keeps what has no meaning here byte for byte, and says so", () => {
  const text =
    'See [it]({% page "/a_b/" %}){:target="_blank"} and {{ x_y }}.\n\n<iframe src="https://a.b/"></iframe>\n\na<br>b\n';
  const document = read(text);
  expect(document.body).toBe(text);
  expect(document.report.map(({ code, message }) => `${code}: ${message}`)).toEqual(
    expect.arrayContaining([
      'attribute-list: {:target="_blank"} is kept as written',
      'template-tag: {% page "/a_b/" %} is kept as written',
      "template-tag: {{ x_y }} is kept as written",
      "raw-html: <iframe> isn't shown in views",
    ]),
  );
});

it("joins the notes of conversion and import: each construct once, with its line in the file", () => {
  const { construct, kept: keptText, protected: becameCode } = constructTexts;
  const name = "{{ a *b* }}";
  const kept = { code: "template-tag", ...messageAndReasonOf(construct({ name, what: keptText() })), line: 9 };
  const repeated = { ...kept, line: 14 };
  const code = { code: "count", ...messageAndReasonOf(becameCode({ name })), line: 14 };
  expect(mergedNotes([kept], [repeated, code])).toEqual([kept, { ...code, line: 9 }]);
  expect(mergedNotes([], [repeated, code])).toEqual([repeated, code]);
});

it("leaves words after a mark alone where no box follows", () => {
  expect(read("Really\n\n??? maybe later\n").body).toBe("Really\n\n??? maybe later\n");
});

it("cleans the encoding and says so", () => {
  const document = read("\uFEFF# Pru\u0308fung\r\n\r\nText\r\n");
  expect(document.frontMatter.title).toBe("Prüfung");
  expect(codes(document)).toEqual(expect.arrayContaining(["byte-order-mark:1", "line-endings", "unicode"]));
});

describe("names what readers don't see", () => {
  const noted = (document: { report: MarkdownDocument["report"] }, code: string) =>
    document.report.filter((note) => note.code === code).map(({ line, message }) => `${line}: ${message}`);
  const table = "| Use | Filter |\n| --- | --- |\n| bar | `\\(\\\\|\\)` | LAST |\n| x | `a|\n";

  it("cells beyond the header, and code that a pipe cuts, which keep their bytes", () => {
    const document = read(`---\ntitle: A\n---\n\n${table}`);
    expect(document.body).toBe(table);
    expect(noted(document, "table-cells")).toEqual([
      '7: the row has 4 cells and the table 2 columns: ")` | LAST" isn\'t shown',
      "8: a pipe in code ends the cell: write it as `\\|`",
    ]);
    const saved = canonicalBody({ markdown: table, title: "A" });
    expect(saved.markdown).toBe(table);
    expect(noted({ report: saved.notes }, "table-cells")).toHaveLength(2);
  });

  it("marks of direction once for each line, as characters and as references", () => {
    const mark = "\u200f";
    const text = `---\ntitle: The${mark} mill\n---\n\nOne${mark} and &#8207; and &rlm; more.\n\nTwo${mark}.\n\n&rlm;Three.\n`;
    expect(noted(readMarkdownDocument({ path: "a.md", text }), "control-characters")).toEqual(
      [2, 5, 7, 9].map((line) => `${line}: the control character U+200F was dropped`),
    );
  });

  it("control characters, of which none is stored", () => {
    const text = "Page\u000cone, Tab\u000bhere, bell\u0007, \u001b[0m, \uFFFE end\u2028next\n";
    const document = read(`---\ntitle: "Change\\fthat\\a"\n---\n\n${text}`);
    expect(document.body).toBe("Page one, Tab here, bell, [0m,  end next\n");
    expect(document.frontMatter.title).toBe("Change that");
    expect(noted(document, "control-characters")).toEqual([
      "5: the control character U+0007, U+001B, U+FFFE was dropped",
      "5: the control character U+000C, U+000B, U+2028 became a space",
      "2: title: the control character U+0007 was dropped",
      "2: title: the control character U+000C became a space",
    ]);
    expect(canonicalBody({ markdown: text, title: "A" })).toMatchObject({
      markdown: document.body,
      notes: [{ line: 1 }, { line: 1 }],
    });
  });

  it("nothing of text in our dialect", () => {
    const { body, report } = read("# Limits\n\nKeep 20~25 °C, 5~7 bar, 200*300*50 mm. **注意：**正文 `{HASH}` `x`\n");
    expect(body).toBe("Keep 20\\~25 °C, 5\\~7 bar, 200\\*300\\*50 mm. <strong>注意：</strong>正文 `{HASH}` `x`\n");
    expect(report.filter(({ code }) => !/title|description|heading/.test(code))).toEqual([]);
  });
});

describe("refuses, naming the file and the way out:", () => {
  it.each([
    ["a script as front matter", "---js\n({})\n---\n", "invalid_input", /"js" is not read. Write it as YAML/],
    [
      "broken front matter",
      "---\ntitle: [a\n---\nx\n",
      "invalid_input",
      /can't be read: .*\(line \d\). Correct that line/,
    ],
    ["front matter that is no mapping", "---\n- a\n---\nx\n", "invalid_input", /key: value/],
    ["broken TOML", "+++\ntitle\n+++\nx\n", "invalid_input", /line 2/],
    ["a TOML key that comes twice", "+++\na = 1\na = 2\n+++\nx\n", "invalid_input", /line 3/],
    ["a TOML text of several lines", '+++\na = """x\ny"""\n+++\nx\n', "invalid_input", /line 2/],
    ["a YAML key that comes twice", "---\na: 1\na: 2\n---\nx\n", "invalid_input", /line 3/],
    ["an empty file", " \n\n", "invalid_input", /is empty/],
    ["a binary file", "PK\u0003\u0004\0\0", "invalid_input", /not a text file/],
    ["a huge file", "x ".repeat(600_000), "too_large", /1024 KiB/],
    ["a hostile file", ">".repeat(5_000), "unprocessable", /nested too deeply/],
  ])("%s", (_, text, code, message) => {
    let error: unknown;
    try {
      read(text, "docs/odd.md");
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code, details: { path: "docs/odd.md" } });
    expect((error as AppError).message).toMatch(message);
    expect((error as AppError).message).not.toContain("odd.md");
    expect((error as AppError).sentence.id).toBeDefined();
  });
});

it("names no change of words where a note names the construct", () => {
  const text = ":::{admonition} Title 5\n:class: warning\nHot\n:::\n\ni. x\nii. y\n\n$$\nx\n$$\n";
  expect(codes(read(text)).filter((code) => code.startsWith("changed-"))).toEqual([]);
});

it("takes no backslash at the end of a callout's line as its title", () => {
  expect(read("> [!NOTE]\\\n> x\n").body).toBe("> [!NOTE]\\\n> x\n");
});

it("says nothing about HTML that views show", () => {
  const text = "<table>\n<tr><td>H<sub>2</sub>O</td></tr>\n</table>\n";
  expect(codes(read(text))).not.toContain("raw-html");
});

it("writes a heading of several lines with spaces", () => {
  expect(read("# A\n\nStop\n5 bar\n---\n\n# B\n").body).toContain("### Stop 5 bar\n");
});

it("names no change of words where comments are above the title", () => {
  expect(codes(read("<!-- x 5 -->\n# Title {#a}\n\ny\n"))).not.toContain("changed-words");
});

it("notes an element of HTML once, not the elements that belong to it", () => {
  const notes = read("<dl><dt>pH</dt><dd>7</dd></dl>\n").report.filter(({ code }) => code === "raw-html");
  expect(notes.map(({ message }) => message)).toEqual(["<dl> loses its tags in views"]);
});
