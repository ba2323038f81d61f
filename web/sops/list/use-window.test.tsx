import { screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeServer, signedInReplies } from "../../testing/fake-server.ts";
import { aSop } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  resetBrowser();
});

describe("a long list", () => {
  it("comes to rest where what was measured is never what was measured before", async () => {
    // zoom, fonts and parts of a pixel: a row may be a little higher each time it is looked at
    let height = 60;
    const higher = () => (height += 1.3);
    vi.spyOn(window, "scrollBy").mockImplementation(() => {});
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(higher);
    vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(() => new DOMRect(0, 0, 800, higher()));
    const data = Array.from({ length: 200 }, (_, at) => aSop({ title: `SOP ${at + 1}` }));
    showApp(fakeServer({ ...signedInReplies(), "GET /api/sops": { data } }), "/sops");
    await screen.findByRole("link", { name: "SOP 1" });
    const shown = screen.getAllByRole("listitem").filter((item) => item.hasAttribute("aria-posinset"));
    expect(shown.length).toBeGreaterThan(6);
    expect(shown.length).toBeLessThan(200);
  });
});
