import { describe, expect, it } from "vitest";
import { lintAcross } from "./across.ts";
import { lintText } from "./engine.ts";
import { readFileFacts } from "./facts.ts";

const recommended = { preset: "recommended" } as const;
const text = (sop: string, body = "Text"): string => `---\ntitle: "T"\nsop: "${sop}"\n---\n\n${body}\n`;

describe("facts", () => {
  it("are small, plain, and the same for the same text", () => {
    const facts = readFileFacts(
      text("SOP-0042", "## A b\n\n## A b\n\nSee [x](y.md#z) and SOP-0001, [w](https://w.org)."),
      "a.md",
    );
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    expect(facts).toMatchObject({
      path: "a.md",
      title: "T",
      sop: "SOP-0042",
      isTemplate: false,
      anchors: ["a-b", "a-b-1"],
      links: [{ url: "y.md#z", at: { line: 10, column: 5 } }],
      mentions: [{ sop: "SOP-0001", at: { line: 10, column: 21, endLine: 10, endColumn: 29 } }],
    });
  });

  it("of a file that can't be read say so, and links to it are not judged", () => {
    const broken = readFileFacts("---\ntitle: [\n---\n", "b.md");
    expect(broken.unreadable).toBe(true);
    expect(lintAcross([broken, readFileFacts("[b](b.md#any)\n", "a.md")], recommended)).toEqual(new Map());
  });
});

describe("lintAcross", () => {
  it("judges files and pictures by who knows what exists, and Markdown without", () => {
    const facts = [
      readFileFacts("[a](a.md) ![p](p.png) [q](q.pdf) [w]({{ w }}) [m](mailto:x@y.z) [r](/r.md)\n", "s/b.md"),
    ];
    const messages = (exists?: (path: string) => boolean): string[] | undefined =>
      lintAcross(facts, recommended, exists === undefined ? {} : { exists })
        .get("s/b.md")
        ?.map(({ message }) => message);
    expect(messages()).toEqual(["a.md doesn't exist"]);
    expect(messages((path) => path === "s/a.md" || path === "s/q.pdf")).toEqual(["p.png doesn't exist"]);
    expect(messages(() => true)).toBeUndefined();
  });

  it("knows a number to be wrong only where all files are given", () => {
    const facts = [
      readFileFacts(text("SOP-0001", "See SOP-0002 and SOP-0003."), "a.md"),
      readFileFacts(text("SOP-0002"), "b.md"),
    ];
    expect(lintAcross(facts, recommended)).toEqual(new Map());
    expect(lintAcross(facts, recommended, { complete: true }).get("a.md")).toMatchObject([
      { rule: "ref/internal-link", message: "SOP-0003 doesn't exist", line: 6, column: 18 },
    ]);
  });

  it("is suppressed like any rule, and says which suppression it did not need", () => {
    const silenced = "<!-- sop-disable-next-line ref/internal-link -- made next week -->\n\n[a](a.md)\n";
    const needless = "<!-- sop-disable-next-line ref/internal-link -- was broken -->\n\nText\n";
    const facts = [readFileFacts(silenced, "b.md"), readFileFacts(needless, "c.md")];
    expect(lintAcross(facts, recommended)).toMatchObject(
      new Map([["c.md", [{ rule: "suppress/unused", line: 1, fix: { safe: true } }]]]),
    );
    const alone = lintText(needless, { path: "c.md", preset: "recommended" });
    expect(alone.filter(({ rule }) => rule.startsWith("suppress/"))).toEqual([]);
  });

  it("takes each file's own options", () => {
    const facts = [readFileFacts(text("SOP-0001"), "a/a.md"), readFileFacts(text("SOP-0001"), "b/b.md")];
    const found = lintAcross(facts, (path) => ({
      preset: "minimal",
      rules: { "meta/id-unique": path.startsWith("a/") ? "off" : "info" },
    }));
    expect([...found.keys()]).toEqual(["b/b.md"]);
    expect(found.get("b/b.md")).toMatchObject([
      { severity: "info", line: 3, message: "SOP-0001 is also the sop of a/a.md" },
    ]);
  });

  it("sees a review that is due on the day it is due, not before", () => {
    const facts = [readFileFacts("---\nreview_by: 2026-11-21\n---\n", "a.md")];
    expect(lintAcross(facts, recommended, { today: "2026-11-21" })).toEqual(new Map());
    expect(lintAcross(facts, recommended, { today: "2026-11-22" }).get("a.md")).toMatchObject([
      { rule: "meta/review-overdue", line: 2 },
    ]);
  });

  it("finds links to SOPs that are known to be archived or missing", () => {
    const facts = [
      readFileFacts("[a](/sop/SOP-0001) [b](/sop/SOP-0002) [c](/sop/SOP-0003) [d](/sop/SOP-0004)\n", "a.md"),
    ];
    const states: Record<string, "there" | "archived" | "unknown"> = {
      "SOP-0001": "there",
      "SOP-0002": "archived",
      "SOP-0003": "unknown",
    };
    const found = lintAcross(facts, recommended, { sops: (to) => states[to] }).get("a.md") ?? [];
    expect(found.map(({ rule, message, column }) => [rule, message, column])).toEqual([
      ["ref/sop", "SOP-0002 is archived", 20],
      ["ref/sop", "SOP-0003 doesn't exist, or you can't see it", 39],
    ]);
  });
});
