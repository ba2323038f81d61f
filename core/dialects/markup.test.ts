import { describe, expect, it } from "vitest";
import { readMarkdownDocument } from "#core/import/markdown/markdown-file.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { constructSentence, convertDialectsInText } from "./convert.ts";
import { firstConstructWithChangedMeaning } from "./guard.ts";

const read = (body: string) => readMarkdownDocument({ path: "a.md", text: `---\ntitle: T\n---\n\n${body}` });
const notes = (body: string) => convertDialectsInText(body).constructs.map(({ outcome, name }) => `${outcome} ${name}`);

describe("blocks of MkDocs between slashes", () => {
  it("maps warnings, details and tabs, and what is in them", () => {
    const text =
      "/// admonition | Hot\n    type: warning\n\nWait.\n\n//// danger\nBurns.\n////\n///\n\n" +
      "/// details | More\n    open: true\n\nText.\n///\n\n/// tab | One\n1\n///\n\n/// tab | Two\n2\n///\n\nEnd.\n";
    expect(convertDialectsInText(text).text).toBe(
      "> [!WARNING]\n> **Hot**\n>\n> Wait.\n>\n> > [!DANGER]\n> > Burns.\n\n" +
        "<details open>\n<summary>More</summary>\n\nText.\n\n</details>\n\n" +
        "<details open>\n<summary>One</summary>\n\n1\n\n</details>\n\n" +
        "<details>\n<summary>Two</summary>\n\n2\n\n</details>\n\nEnd.\n",
    );
  });

  it("keeps others whole, and reports one without an end", () => {
    const text = "/// html | div.a\n    x: 1\n\nText\n///\n\n/// caption\nA pump\n";
    expect(convertDialectsInText(text).text).toBe(
      "```mkdocs\n/// html | div.a\n    x: 1\n\nText\n///\n```\n\n/// caption\nA pump\n",
    );
    expect(notes(text)).toEqual(["kept /// html", "reported /// caption"]);
  });
});

describe("a box without a title", () => {
  it.each([
    ["!!! example\n    x\n", "NOTE", "Example"],
    ["!!! example2\n    x\n", "NOTE", "Example2"],
    ["!!! pied-piper\n    x\n", "NOTE", "Pied piper"],
    ["!!! bug\n    x\n", "CAUTION", "Bug"],
    ["/// summary\nx\n///\n", "NOTE", "Summary"],
    ["/// admonition\n    type: quote\n\nx\n///\n", "NOTE", "Quote"],
    [":::info\nx\n:::\n", "NOTE", "Info"],
    ["```{seealso}\nx\n```\n", "NOTE", "See also"],
    ["> [!EXAMPLE]\n> x\n", "NOTE", "Example"],
    ["> [!faq]\n> x\n", "NOTE", "Faq"],
    ["{{< notice info >}}\nx\n{{< /notice >}}\n", "NOTE", "Info"],
    ['{% hint style="success" %}\nx\n{% endhint %}\n', "TIP", "Success"],
    ["<Info>\nx\n</Info>\n", "NOTE", "Info"],
    ['<Admonition type="info">\nx\n</Admonition>\n', "NOTE", "Info"],
  ])("shows the word that its tool shows: %j", (text, kind, title) => {
    expect(convertDialectsInText(text).text.trimEnd()).toBe(`> [!${kind}]\n> **${title}**\n>\n> x`);
  });

  it.each([
    ["!!! danger\n    x\n", "DANGER"],
    ["!!! Warning\n    x\n", "WARNING"],
    ['!!! example ""\n    x\n', "NOTE"],
    [":::tip\nx\n:::\n", "TIP"],
    ["```{admonition}\nx\n```\n", "NOTE"],
  ])("shows no word twice, and none that its writer took away: %j", (text, kind) => {
    expect(convertDialectsInText(text).text.trimEnd()).toBe(`> [!${kind}]\n> x`);
  });
});

it.each(["[x](<README.md>)\n", "[x]\n\n[x]: <Guide.md>\n", "![x](<a b.png>)\n"])(
  "takes an address for no tag: %j",
  (text) => {
    expect(convertDialectsInText(text).constructs).toEqual([]);
  },
);

it.each([
  ['![a](b.png){ width="700" }', "![a|700](b.png)", '{ width="700" } became the width of the image'],
  ['![a](b.png "T"){: .x width=40px }', '![a|40](b.png "T")', "became the width of the image, without class: x"],
  ["[![a](b.png){ align=left }](c.md)", "[![a](b.png)](c.md)", "{ align=left } was left out, without align: left"],
])("gives an image the width of its attribute list: %j", (text, expected, note) => {
  const { text: mapped, constructs } = convertDialectsInText(text);
  expect(mapped).toBe(expected);
  expect(constructs.map((one) => constructSentence(one).text).join()).toContain(note);
});

describe("formulas", () => {
  it("keeps the backslashes of brackets around them", () => {
    expect(read("With \\(a_b\\) and \\(x\\), but \\(e\\.g\\. this\\).\n").body).toBe(
      "With `\\(a_b\\)` and `\\(x\\)`, but (e.g. this).\n",
    );
  });

  it.each([
    ["\\[\nS = \\{1\\}\n\\]\n", "```math\nS = \\{1\\}\n```\n"],
    ["$$\nS = \\{1\\}\n$$ (eq1)\n", "```math\nS = \\{1\\}\n```\n"],
    ["\\[ y = 2 \\]\n", "```math\ny = 2\n```\n"],
    ["\\[see\\_below\\.\\]\n", "\\[see\\_below\\.\\]\n"],
  ])("makes code of a block: %j", (text, expected) => {
    expect(convertDialectsInText(text).text).toBe(expected);
  });

  it("names a label that is left out", () => {
    expect(convertDialectsInText("$$\na\n$$ (eq1)\n").constructs[0]?.what.text).toBe(
      "became a block of math code, without label: eq1",
    );
  });
});

describe("shortcodes", () => {
  it("makes code of a tab of code, so that its lines stay lines", () => {
    const text =
      '{{< tabpane >}}\n{{< tab header="A" lang="sh" >}}\nls\n# all\nrm *\n{{< /tab >}}\n{{< /tabpane >}}\n\nEnd.\n';
    expect(convertDialectsInText(text).text).toContain("```sh\nls\n# all\nrm *\n```");
    const prose = text.replace("tabpane >}}", "tabpane text=true >}}").replace(' lang="sh"', "");
    expect(convertDialectsInText(prose).text).not.toContain("```");
  });

  it.each(["mermaid", "math"])("makes code of %s", (name) => {
    expect(convertDialectsInText(`{{< ${name} >}}\na\n  b_c\n{{< /${name} >}}\n`).text).toBe(
      `\`\`\`${name}\na\n  b_c\n\`\`\`\n`,
    );
  });

  it("keeps lines whose indent Markdown would drop, under any name", () => {
    const text = '{{< code lang="yaml" >}}\na:\n  b: 1\n{{< /code >}}\n';
    expect(convertDialectsInText(text).text).toBe(`\`\`\`hugo\n${text}\`\`\`\n`);
    const list = "{{< columns >}}\n- a\n  - b\n\nText\n{{< /columns >}}\n";
    expect(convertDialectsInText(list).text).toBe(list);
  });

  it("leaves a number below a tag an item of a list", () => {
    expect(read("1. One\n{% if z %}\n2. Two\n{% endif %}\n").body).toBe(
      "1. One\n\n{% if z %}\n\n2. Two\n\n{% endif %}\n",
    );
  });
});

describe("blocks that are indented for another tool", () => {
  it.each([
    [
      "a fence below a step",
      "1. Run\n       ```sh\n       ls\n         x\n       ```\n2. Stop\n",
      "1. Run\n   ```sh\n   ls\n     x\n   ```\n2. Stop\n",
    ],
    [
      "a list in a box of MkDocs",
      "!!! note\n    - one\n\n          1. a\n          2. b\n\n    - two\n",
      "> [!NOTE]\n> - one\n>\n>   1. a\n>   2. b\n>\n> - two\n",
    ],
  ])("%s is in its item", (_, text, expected) => {
    expect(convertDialectsInText(text).text).toBe(expected);
    expect(notes(text).some((note) => note.startsWith("mapped"))).toBe(true);
  });

  it.each([
    "1. Run\n   ```sh\n   ls\n   ```\n",
    "- one\n\n      1. code of Markdown\n",
    "- one\n\n      ```\n      shown\n      ```\n",
    "Text\n    ```\n    more text\n",
    "```\n- a\n        ```sh\n```\n",
  ])("others stay: %j", (text) => {
    expect(convertDialectsInText(text).text).toBe(text);
  });
});

describe("other tools", () => {
  it("keeps the pipe of a tag in a table", () => {
    expect(read("| A | B |\n| --- | --- |\n| {{ a|b }} | {{ c }} |\n").body).toContain("| `{{ a\\|b }}` | {{ c }} |");
  });

  it("reads the path of an image in MDX", () => {
    const text = `<img src={require('./img/b.png').default} width={20} alt="B" />\n\n<img src={useBaseUrl("/img/c.png")} />\n`;
    expect(convertDialectsInText(text).text).toBe(
      '<img src="./img/b.png" width="20" alt="B" />\n\n<img src="/img/c.png" />\n',
    );
    expect(convertDialectsInText('<img src={logo} alt="" />\n').text).toBe('<img src={logo} alt="" />\n');
  });

  it("opens the details of VitePress, and keeps its includes", () => {
    expect(convertDialectsInText("::: details More {open}\nx\n:::\n").text).toContain(
      "<details open>\n<summary>More</summary>",
    );
    expect(convertDialectsInText("::: details More {open}\nx\n:::\n").constructs[0]?.what.text).toBe(
      "became a details block",
    );
    expect(convertDialectsInText("a\n\n<<< @/a.js{2}\n").text).toBe("a\n\n```container\n<<< @/a.js{2}\n```\n");
  });

  it("keeps a field list with indented lines, and leaves fields without them", () => {
    const list = ":param speed: in rpm\n  at the shaft\n:returns: nothing\n\n    more";
    const { text, constructs } = convertDialectsInText(`a\n\n${list}\n\nb\n`);
    expect(text).toBe(`a\n\n\`\`\`myst\n${list}\n\`\`\`\n\nb\n`);
    expect(constructs.map(({ line, name, outcome }) => [line, name, outcome])).toEqual([
      [3, expect.objectContaining({ text: "field list" }), "kept"],
    ]);
    expect(convertDialectsInText(":param speed: in rpm\n:returns: nothing\n").constructs).toEqual([]);
  });

  it("names a block of ERB as a template", () => {
    expect(convertDialectsInText("<%= a\n  b %>\n").text).toBe("```template\n<%= a\n  b %>\n```\n");
  });
});

it.each([
  "* list\n{:toc}\n",
  "text\n\n{: .warning }\n> quote\n",
  "{% macro x(a) %}\n  text\n    - {{ a }}\n{% endmacro %}\n",
  "{{#items}}\n    deep\n{{/items}}\n",
  "Text \\(a_b\\).\n",
  "/// note\n    type: x\n\ntext\n///\n",
  ":param x: one\n  two\n",
])("formatting doesn't reshape %j", (text) => {
  expect(firstConstructWithChangedMeaning(text, formatMarkdown(text))).toBeDefined();
});

it.each(["* a\n\n{% if x %}\n* b\n\n{% endif %}\n", "Text\n{: .a}\n\n* b\n"])("formats %j", (text) => {
  expect(firstConstructWithChangedMeaning(text, formatMarkdown(text))).toBeUndefined();
});

describe("markup of wikis and books", () => {
  it.each([
    ["Wait^[5 min] now\n", "kept ^[5 min]"],
    ["Text 5 ^step-1\n", "kept ^step-1"],
    ["- [-] gone\n", "kept [-]"],
    ["!> Hot\n", "kept !>"],
    ['```sh\n--8<-- "run.sh"\n```\n', 'reported --8<-- "run.sh"'],
    ["```rust\n{{#rustdoc_include code.rs:5}}\n```\n", "reported {{#rustdoc_include code.rs:5}}"],
  ])("is named: %j", (text, note) => {
    expect(notes(text)).toEqual([note]);
    expect(read(text).body).toBe(text);
  });

  it.each(["10 ^2\n", "[a]: b\n\nx^2 [^1]\n\n[^1]: n\n", "- [ ] a\n- [x] b\n"])("is not %j", (text) => {
    expect(notes(text)).toEqual([]);
  });
});

it("maps callouts of Quarto", () => {
  const text = "::: {.callout-warning}\nHot\n:::\n";
  expect(convertDialectsInText(text).text).toBe("> [!WARNING]\n> Hot\n");
});
