import { fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, signedInReplies } from "../../testing/fake-server.ts";
import { aSop } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(resetBrowser);

const items = () => [...document.querySelectorAll("[aria-posinset]")];
const positions = () => items().map((item) => Number(item.getAttribute("aria-posinset")));
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

async function showList(count: number, reply: object = {}) {
  const data = upTo(count).map((at) => aSop({ id: `sop-${at}`, title: `SOP ${at}` }));
  const shown = showApp(fakeServer({ ...signedInReplies(), "GET /api/sops": { data, ...reply } }), "/sops");
  await screen.findByRole("link", { name: "SOP 1" });
  return shown;
}

describe.each(["grid", "list"])("a list of SOPs as a %s", (view) => {
  const show = (count: number, reply?: object) => {
    localStorage.setItem("list-view", view);
    return showList(count, reply);
  };

  it("has 500 SOPs in the page", async () => {
    await show(500);
    expect(positions()).toEqual(upTo(500));
  });

  it("has only the SOPs near the screen in the page when there are more, and says how many there are", async () => {
    await show(1_000);
    expect(positions()).toEqual(upTo(positions().length));
    expect(positions().length).toBeGreaterThanOrEqual(3);
    expect(positions().length).toBeLessThan(60);
    expect(new Set(items().map((item) => item.getAttribute("aria-setsize")))).toEqual(new Set(["1000"]));
  });

  it("has all SOPs in the page while it is printed", async () => {
    await show(1_000);
    const before = positions();
    fireEvent(window, new Event("beforeprint"));
    expect(positions()).toEqual(upTo(1_000));
    fireEvent(window, new Event("afterprint"));
    expect(positions()).toEqual(before);
  });
});

it("keeps room for the rows that are not in the page", async () => {
  await showList(1_000);
  const list = items()[0]?.parentElement;
  expect(Number.parseFloat(list?.style.paddingBottom ?? "")).toBeGreaterThan(10_000);
  fireEvent(window, new Event("beforeprint"));
  expect(list?.style.paddingBottom).toBe("0px");
});

it("does not say how many SOPs there are before the last page came", async () => {
  await showList(1_000, { nextCursor: "more" });
  expect(items()[0]?.getAttribute("aria-setsize")).toBe("-1");
});

it("leads from SOP to SOP by j and k", async () => {
  const { user } = await showList(1_000);
  await user.keyboard("jjjk");
  expect(document.activeElement?.textContent).toBe("SOP 2");
});
