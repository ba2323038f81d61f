import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readVersionFacts } from "./file-facts.ts";
import { indexedCategoryOf, isMadeByServer, MainIndex } from "./index-files.ts";
import { categoriesFileText, readCategories } from "./repo-files.ts";

const categories = [
  { slug: "servers", name: "Servers", color: "accent", order: 2, parent: "it" },
  { slug: "it", name: "IT & [Co]", color: "accent", order: 1 },
  { slug: "hr", name: "People", color: "primary", order: 0 },
];
const entry = (number: string, title: string, owner: string | null = "ada") => ({ number, title, owner });

describe("the index on main", () => {
  it("lists categories in their order and each one's SOPs by number, templates apart", () => {
    const index = new MainIndex();
    index.set("sops/servers/sop-0002-b.md", entry("SOP-0002", "B"));
    index.set("sops/it/sop-0010-j.md", entry("SOP-0010", "J"));
    index.set("sops/it/sop-0001-a.md", entry("SOP-0001", "A"));
    index.set("templates/it/sop-0003-c.md", entry("SOP-0003", "C"));
    index.set("sops/uncategorized/sop-0004-d.md", entry("SOP-0004", "D"));
    index.set("archive/it/sop-0005-e.md", entry("SOP-0005", "E"));
    expect(index.readme(categories)).toContain(
      "\n- [IT \\& \\[Co\\]](index/it.md)\n- [IT \\& \\[Co\\] / Servers](index/servers.md)\n- [Uncategorized](index/uncategorized.md)\n",
    );
    expect(index.page("it", categories)).toBe(
      "# IT \\& \\[Co\\]\n\n- [SOP-0001 A](../sops/it/sop-0001-a.md)\n- [SOP-0010 J](../sops/it/sop-0010-j.md)\n\n## Templates\n\n- [SOP-0003 C](../templates/it/sop-0003-c.md)\n",
    );
    expect(index.page("hr", categories)).toBeNull();
  });

  it("names owners by number, and leaves out what is no username", () => {
    const index = new MainIndex();
    index.set("sops/it/qm-1-2-a.md", entry("QM-1-2", "A", "bo"));
    index.set("sops/it/qm-1-b.md", entry("QM-1", "B", "ada.lovelace"));
    index.set("sops/it/sop-3-c.md", entry("SOP-3", "C", null));
    index.set("sops/it/sop-4-d.md", entry("SOP-4", "D", "x\n* @mallory"));
    // hosts use the last line that matches, so the longer number comes later
    expect(index.codeowners().split("\n").slice(1)).toEqual(["qm-1-*.md @ada.lovelace", "qm-1-2-*.md @bo", ""]);
  });

  it("shows any title on one line that no Markdown can leave", () => {
    const index = new MainIndex();
    index.set("sops/it/sop-1-a.md", entry("SOP-1", "](x) <b> `c` *d*\n# e \u202e\u0000"));
    expect(index.page("it", [])).toBe("# it\n\n- [SOP-1 \\](x) \\<b\\> \\`c\\` \\*d\\* # e](../sops/it/sop-1-a.md)\n");
  });

  it("names a category as changed only where a line changed", () => {
    const index = new MainIndex();
    const path = "sops/it/sop-1-a.md";
    const set = (title: string, owner: string | null) => index.set(path, entry("SOP-1", title, owner));
    expect(set("A", "ada")).toBe("it");
    expect(set("A", "ada")).toBeNull();
    expect(set("B", "ada")).toBe("it");
    expect(set("B", "bo")).toBe("it");
    expect(set("B", null)).toBe("it");
    expect(set("B", null)).toBeNull();
    expect(index.remove(path)).toBe("it");
    expect(set("B", null)).toBe("it");
  });

  it("is the same in any order of changes", () => {
    const change = fc.record({
      path: fc.constantFrom("sops/it/a.md", "sops/it/b.md", "templates/hr/c.md", "archive/it/d.md", "sops/hr/a.md"),
      entry: fc.option(
        fc.record({
          number: fc.constantFrom("SOP-1", "SOP-2"),
          title: fc.constantFrom("A", "B"),
          owner: fc.option(fc.constantFrom("ada", "bo")),
        }),
      ),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const [index, last] = [new MainIndex(), new Map<string, ReturnType<typeof entry>>()];
        for (const { path, entry: set } of changes) {
          if (set === null) index.remove(path);
          else index.set(path, set);
          if (set === null) last.delete(path);
          else last.set(path, set);
        }
        const fresh = new MainIndex();
        for (const path of [...last.keys()].toSorted().toReversed()) fresh.set(path, last.get(path) ?? entry("", ""));
        expect([...index.files(categories)].toSorted()).toEqual([...fresh.files(categories)].toSorted());
      }),
    );
  });

  it("is read back from its files, and changes like the one that wrote them", () => {
    const title = fc.oneof(
      fc.string(),
      fc.constantFrom("a](../sops/it/x.md)", "- [b", "\\", "\n- [c](../sops/it/y.md)"),
    );
    const sops = fc.uniqueArray(
      fc.record({
        number: fc.integer({ min: 1, max: 30 }),
        title,
        owner: fc.option(fc.constantFrom("ada", "b-o", "x y")),
      }),
      {
        selector: ({ number }) => number,
      },
    );
    const path = (number: number) =>
      `${number % 3 === 0 ? "templates" : "sops"}/${number % 2 === 0 ? "it" : "hr"}/${number}.md`;
    fc.assert(
      fc.property(sops, sops, (first, then) => {
        const written = new MainIndex();
        const put = (into: MainIndex, { number, ...facts }: (typeof first)[number]) =>
          into.set(path(number), { number: `QM-1.${number}`, ...facts });
        for (const sop of first) put(written, sop);
        const read = MainIndex.readFrom(written.files(categories), categories);
        for (const index of [written, read]) {
          for (const { number } of first.slice(0, 3)) index?.remove(path(number));
          for (const sop of then) if (index) put(index, sop);
        }
        expect(read?.files(categories)).toEqual(written.files(categories));
      }),
    );
  });

  it("is read back from no other files", () => {
    const index = new MainIndex();
    index.set("sops/it/sop-1-a.md", entry("SOP-1", "A"));
    const files = index.files(categories);
    expect(MainIndex.readFrom(new Map(), categories)).toBeNull();
    for (const [path, text] of files) {
      const others = [...files].filter(([other]) => other !== path);
      expect(MainIndex.readFrom(new Map(others), categories)).toBeNull();
      expect(MainIndex.readFrom(new Map([...others, [path, `${text}More.\n`]]), categories)).toBeNull();
    }
  });

  it("knows its files and its categories", () => {
    for (const path of ["README.md", "CODEOWNERS", "index/it.md", ".sop/repo.yml"])
      expect([path, isMadeByServer(path)]).toEqual([path, true]);
    for (const path of ["sops/it/README.md", "sops/index/a.md"]) expect(isMadeByServer(path)).toBe(false);
    expect(indexedCategoryOf("archive/it/a.md")).toBeNull();
    expect(readCategories(categoriesFileText(categories))).toEqual(categories.toSorted((a, b) => a.order - b.order));
    expect(readCategories(categoriesFileText([]))).toEqual([]);
  });

  it("reads facts of a file as its front matter states them, and never those of its text", () => {
    const head = 'sop: "SOP-1"\nid: "x"\nversion: 2\n';
    expect(readVersionFacts(`---\n${head}title: "A: \\"b\\""\n---\n\nowner: "eve"\n`)).toEqual({
      id: "x",
      number: "SOP-1",
      version: 2,
      title: 'A: "b"',
      owner: null,
    });
    expect(readVersionFacts("# Not one of ours\n")).toBeNull();
  });
});
