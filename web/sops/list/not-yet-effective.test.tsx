/** No place says "Published" of a version whose day is ahead. */
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { StoredSop } from "#core/life-cycle/records.ts";
import type { SopRow } from "#core/sops/schema.ts";
import { shownStatus } from "#core/sops/statuses.ts";
import { someLife } from "../../../test/some-life.ts";
import { HitText } from "../../search/HitText.tsx";
import { fakeServer, signedInReplies } from "../../testing/fake-server.ts";
import { aControl, aSop, facetsOf } from "../../testing/records.ts";
import { chooseCards, resetBrowser, showApp } from "../../testing/render-app.tsx";
import { LifeCycle } from "../edit/LifeCycle.tsx";

afterEach(resetBrowser);

/** As the server answers it to people who see drafts. */
function rowOf({ status, version, published, scheduled }: StoredSop, title: string): SopRow {
  const known = (one: StoredSop["published"]) => one && { version: one.version, effectiveAt: one.effectiveAt };
  return aSop({ title, status, version, published: known(published), scheduled: known(scheduled) });
}

const liveRows = fc
  .array(someLife, { minLength: 8, maxLength: 16 })
  .map((lives) => lives.filter(({ live }) => live).map((life, at) => rowOf(life, `Life ${at}`)));

/** Of a row, a card or a hit: "Published" needs a published version, and a version that waits is named. */
function expectTrue(sop: SopRow, text: string): void {
  const facts = [sop.title, sop.status, sop.version, sop.published?.version, sop.scheduled?.version, text];
  expect([...facts, /Published/.test(text) && sop.published === null]).toEqual([...facts, false]);
  expect([...facts, text.includes("Not yet effective")]).toEqual([...facts, shownStatus(sop) === "scheduled"]);
}

describe("a version whose day is ahead", () => {
  it.each(["rows", "cards"])("isn't published in %s", async (look) => {
    let waiting = 0;
    const check = async (rows: SopRow[]) => {
      if (look === "cards") chooseCards();
      showApp(fakeServer({ ...signedInReplies(), "GET /api/sops": { data: rows } }), "/sops");
      for (const sop of rows) {
        const link = await screen.findByRole("link", { name: sop.title });
        expectTrue(sop, link.closest("article")?.textContent ?? "");
        if (shownStatus(sop) === "scheduled") waiting += 1;
      }
      resetBrowser();
    };
    await fc.assert(fc.asyncProperty(liveRows, check), { numRuns: 2, endOnFailure: true });
    expect(waiting).toBeGreaterThan(0);
  });

  it("isn't published in hits of a search", () => {
    const check = (rows: SopRow[]) => {
      for (const sop of rows) {
        const title = { text: sop.title, ranges: [] };
        const { container } = render(<HitText sop={sop} title={title} snippet={title} step={null} missing={[]} />);
        expectTrue(sop, container.textContent ?? "");
        cleanup();
      }
    };
    fc.assert(fc.property(liveRows, check), { numRuns: 5 });
  });

  it.each([
    ["at first", null],
    ["after version 1", { version: 1, effectiveAt: "2026-01-01T00:00:00.000Z" }],
  ])("isn't published on its page, on paper and on the edit screen, %s", async (_, published) => {
    const scheduled = { version: 2, effectiveAt: "2099-07-01T00:00:00.000Z" };
    const row = { ...aSop({ title: "Rinse", version: 2, published, scheduled }), content: "<p>Text</p>" };
    const sop = { ...row, markdown: "Text\n", control: aControl({ effective: "2099-07-01" }) };
    const path = `/sop/${sop.id}`;
    showApp(fakeServer({ ...signedInReplies(), [`GET /api/sops/${sop.id}`]: sop }), path);
    const heading = await screen.findByRole("heading", { level: 1, name: "Rinse" });
    const facts = heading.closest("header")?.textContent ?? "";
    expect(facts).toContain("Not yet effective");
    expect(facts).not.toContain("Published");
    const paper = () => document.querySelector(".print-head")?.textContent;
    await waitFor(() => expect(paper()).toContain("Status: Not yet effective"));
    resetBrowser();
    render(<LifeCycle status={shownStatus(sop)} />);
    expect(screen.getByText("Not yet effective").closest("[aria-current='step']")).toBeTruthy();
    expect(screen.getByText("Published").closest("[aria-current='step']")).toBeNull();
  });

  it("has a filter of its own where there is one", async () => {
    const row = aSop({ title: "Rinse", scheduled: { version: 1, effectiveAt: "2099-07-01T00:00:00.000Z" } });
    for (const scheduled of [1, 0]) {
      const page = { data: [row], facets: facetsOf({ all: 1, published: 0, scheduled }) };
      const server = fakeServer({ ...signedInReplies(), "GET /api/sops": page });
      const { user, address } = showApp(server, "/sops");
      const all = await screen.findByRole("button", { name: /^All Status/ });
      await waitFor(() => expect(all.textContent).toContain("1"));
      const tab = screen.queryByRole("button", { name: /^Not yet effective/ });
      expect([scheduled, tab !== null]).toEqual([scheduled, scheduled > 0]);
      if (tab) {
        await user.click(tab);
        expect(address()).toBe("/sops?status=scheduled");
      }
      resetBrowser();
    }
  });
});
