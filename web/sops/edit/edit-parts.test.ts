import { describe, expect, it } from "vitest";
import type { Sop } from "#core/sops/schema.ts";
import type { SopStatus } from "#core/sops/statuses.ts";
import { aControl, aSop } from "../../testing/records.ts";
import { outcomeOfSaving } from "./edit-status-hint.ts";
import { contentsOutlineOf } from "../view/ViewOutline.tsx";

describe("what a status will do", () => {
  const manager = { publish: true, archive: true };
  const editor = { publish: false, archive: false };
  const sop = (status: SopStatus, published: number | null): Sop => ({
    ...aSop({ status, version: 3, published: published === null ? null : { version: published, effectiveAt: null } }),
    content: "",
    markdown: "",
    control: aControl(),
  });
  it.each([
    [null, "draft", editor, "Saves version 1 as a draft.", "draft"],
    [null, "published", manager, "Saves version 1, then asks to publish it.", "published"],
    [
      null,
      "published",
      editor,
      "You don't have permission to publish: use Submit for Approval. Save as a draft first, then submit for approval.",
      null,
    ],
    [sop("published", 3), "published", editor, "Readers keep version 3. Saving creates version 4 as a draft.", "draft"],
    [sop("published", 3), "draft", manager, "Readers keep version 3. Saving creates version 4 as a draft.", "draft"],
    [sop("draft", null), "under_review", manager, "Use Submit for Approval to put an SOP under review", null],
    [sop("under_review", null), "draft", editor, "Saves version 4 as a draft. This ends the review.", "draft"],
    [sop("draft", null), "archived", manager, "Saves and archives it. Readers can't see it anymore.", "archived"],
    [sop("archived", null), "draft", manager, "Saves and unarchives it as a draft.", "draft"],
  ] as const)("%o as %s", (stored, status, may, text, saves) => {
    expect(outcomeOfSaving(stored, status, may, "flexible")).toEqual({ text, saves });
  });

  it("is shown with the day from which readers see the waiting version", () => {
    const publish = (from: string) => outcomeOfSaving(sop("draft", 2), "published", manager, "flexible", from).text;
    expect(publish("2999-01-02")).toBe("Saves version 4, then asks to publish it from Jan 2, 2999 on.");
    expect(publish("2001-01-02")).toBe("Saves version 4, then asks to publish it.");
  });
});

describe("the contents", () => {
  it("are the two upper levels of headings that can be jumped to", () => {
    const html =
      '<h3 id="a">A</h3><h4 id="b">B <code>x</code></h4><h5 id="c">C</h5><h3>no id</h3><h2 class="sr-only" id="footnote-label">Footnotes</h2>';
    expect(contentsOutlineOf(html)).toEqual([
      { id: "a", text: "A", level: 1 },
      { id: "b", text: "B x", level: 2 },
    ]);
    expect(contentsOutlineOf("<p>none</p>")).toEqual([]);
  });
});
