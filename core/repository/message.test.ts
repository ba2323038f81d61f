import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRepoEvent, type NewRepoEvent, type SopFilePlace, type RepoEventItem } from "./event.ts";
import { commitMessage, commitIdentityOf, epochSeconds } from "./message.ts";

const path = "sops/it/sop-0042-reset.md";
const place = (version: number, mainVersion: number | null, at = path): SopFilePlace => ({
  path: at,
  version,
  mainPath: mainVersion === null ? null : at,
  mainVersion,
});
const item: RepoEventItem = {
  sopId: "0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10",
  version: 3,
  number: 42,
  title: "Reset a user password: service desk",
  contentHash: "3f1c",
  before: place(3, 2),
  after: place(3, 3),
};

function event(more: Partial<NewRepoEvent>) {
  const base = { companyId: "c1", seq: 1841, type: "publish" as const, at: "2026-11-20T16:02:11.999Z" };
  return createRepoEvent({ ...base, authorId: "u-7f3a", authorName: "Ada", items: [item], ...more });
}

describe("commitMessage", () => {
  it("is the design's example to the letter", () => {
    const published = event({
      note: "Adds the manager call-back step.",
      approvals: [{ userId: "u-91bc", name: "Grace Hopper", at: "2026-11-20T16:02:11.999Z" }],
      requestId: "0198f3aa",
    });
    expect(commitMessage(published, "main")).toBe(`publish(SOP-0042): Reset a user password: service desk (v3)

Adds the manager call-back step.

Sop-Id: 0198f0c2-5b7e-7c11-9a44-2f6f0a3c9d10
Sop-Version: 3
Event: publish
Event-Seq: 1841
Content-SHA256: 3f1c
Approved-by: Grace Hopper <u-91bc@users.invalid>
Approved-at: 2026-11-20T16:02:11Z
Request-Id: 0198f3aa
`);
  });

  it("speaks of the published version on main, never of the draft", () => {
    const moved = {
      ...item,
      title: "Secret draft",
      before: place(3, 2),
      after: place(3, 2, "sops/hr/sop-0042-reset.md"),
    };
    const named = event({ type: "move", items: [{ ...moved, inForce: { title: "In force", contentHash: "2f" } }] });
    expect(commitMessage(named, "main")).toContain("move(SOP-0042): In force (v2)\n");
    expect(commitMessage(named, "main")).toContain(`Content-SHA256: 2f\nMoved-from: ${path}\n`);
    expect(commitMessage(named, "history")).toContain("move(SOP-0042): Secret draft (v3)\n");
    const unnamed = commitMessage(event({ type: "move", items: [moved] }), "main");
    expect(unnamed).toContain("move(SOP-0042): (v2)\n");
    expect(unnamed).not.toContain("Secret");
    expect(unnamed).not.toContain("Content-SHA256");
  });

  it("names all documents of a batch", () => {
    const second = { ...item, sopId: "s2", number: 43, title: "Another", contentHash: "aa", before: null };
    const text = commitMessage(
      event({ type: "import", items: [{ ...item, before: null }, second], importId: "i1" }),
      "history",
    );
    expect(text.split("\n").slice(0, 5)).toEqual([
      "import: 2 documents (SOP-0042 to SOP-0043)",
      "",
      "- SOP-0042 Reset a user password: service desk (v3)",
      "- SOP-0043 Another (v3)",
      "",
    ]);
    expect(text).toContain("Sop-Id: s2\nSop-Version: 3\nContent-SHA256: aa\nImport-Id: i1\n");
  });

  it("says what was restored and which model helped", () => {
    const text = commitMessage(event({ type: "restore", restores: 2, aiModel: "gpt\nApproved-by: x" }), "history");
    expect(text).toContain("Restores: 2\nAI-Assisted: gpt Approved-by: x\n");
  });

  it("prevents forged trailers and subjects", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(
          fc.constantFrom(
            "Approved-by: Eve <e@x>",
            "Co-authored-by: Eve <e@x>",
            "\r",
            "\n",
            "\n\n",
            "\u2028",
            "\u0085",
            "---",
            " ",
            "Event-Seq: 9",
            "\u0000",
            "x",
          ),
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, note, name) => {
        const approvals = [{ userId: "u1", name, at: "2026-11-20T16:02:11Z" }];
        const coAuthors = [
          { userId: "u2", name },
          { userId: "u3", name, stated: true as const },
        ];
        const text = commitMessage(event({ items: [{ ...item, title }], note, approvals, coAuthors }), "history");
        const lines = text.split("\n");
        expect([...(lines[0] ?? "")].length).toBeLessThanOrEqual(120);
        expect(lines[1]).toBe("");
        expect(text.endsWith("\n") && !text.endsWith("\n\n")).toBe(true);
        expect(lines.filter((line) => line.startsWith("Approved-by:"))).toHaveLength(1);
        expect(lines.filter((line) => line.startsWith("Co-authored-by:"))).toHaveLength(1);
        expect(lines.filter((line) => line.startsWith("Stated-author:"))).toHaveLength(1);
        expect(lines.filter((line) => line.startsWith("Event-Seq:"))).toEqual(["Event-Seq: 1841"]);
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/); // oxlint-disable-line no-control-regex
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("identityOf", () => {
  it.each([
    ["u-1", "Grace Hopper", "Grace Hopper <u-1@users.invalid>"],
    ["u-1", "Eve <root@example.com>\n", "Eve root@example.com <u-1@users.invalid>"],
    ["u-1", " \u0007 ", "u-1 <u-1@users.invalid>"],
    ["a b/<c>", "X", "X <a-b--c-@users.invalid>"],
  ])("%j %j", (id, name, identity) => {
    expect(commitIdentityOf(id, name)).toBe(identity);
  });
});

describe("wholeSeconds", () => {
  it("rounds down and refuses what is no time", () => {
    expect(epochSeconds("1970-01-01T00:00:01.999Z")).toBe(1);
    expect(() => epochSeconds("yesterday")).toThrow("not a time");
  });
});
