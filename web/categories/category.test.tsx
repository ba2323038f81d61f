import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, Refusal, signedInReplies, type Asked } from "../testing/fake-server.ts";
import { aSop, aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const main = () => within(screen.getByRole("main"));
const tile = (name: string) =>
  main()
    .getAllByText(name)
    .map((element) => element.closest("dt")?.nextElementSibling)
    .find((element) => element instanceof HTMLElement);

const counted = ({ query }: Asked) => {
  const total = { published: 5, draft: 3, under_review: 1 }[query["status"] ?? ""];
  return query["total"] === "true" ? { data: [], total } : { data: [aSop({ title: "Invoices" })] };
};

describe("category page", () => {
  it("shows name, count, tiles with real counts, and its SOPs", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/sops": counted });
    showApp(server, "/category/cat-fin");
    await screen.findByRole("heading", { level: 1, name: "Finance" });
    expect(main().getByText("9 SOPs")).toBeTruthy();
    expect(main().getByRole("link", { name: "New SOP in Category" }).getAttribute("href")).toBe(
      "/sop/new?category=cat-fin",
    );
    await waitFor(() => expect(tile("Under Review")?.textContent).toBe("1"));
    expect(tile("Total SOPs")?.textContent).toBe("9");
    expect(tile("Published")?.textContent).toBe("5");
    expect(tile("Draft")?.textContent).toBe("3");
    await main().findByRole("link", { name: "Invoices" });
    expect(server.askedFor("GET /api/sops").find(({ query }) => !query["total"])?.query).toEqual({
      category: "cat-fin",
      limit: "24",
    });
  });

  it("offers the first SOP of an empty category", async () => {
    showApp(fakeServer(signedInReplies()), "/category/cat-hr");
    await screen.findByText("No SOPs in this category");
    expect(screen.getByRole("link", { name: "Create First SOP" }).getAttribute("href")).toBe(
      "/sop/new?category=cat-hr",
    );
  });

  it("filters within the category", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/sops": counted });
    const { user, address } = showApp(server, "/category/cat-fin");
    await user.selectOptions(await screen.findByLabelText("Status"), "Draft");
    expect(screen.queryByLabelText("Category")).toBeNull();
    await waitFor(() => expect(address()).toBe("/category/cat-fin?status=draft"));
    expect(server.askedFor("GET /api/sops").at(-1)?.query).toEqual({
      status: "draft",
      category: "cat-fin",
      limit: "24",
    });
  });

  it("offers no New SOP to who may not create one", async () => {
    const viewer = { user: aUser({ role: "viewer" }) };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/auth/me": viewer }), "/category/cat-hr");
    await screen.findByText("No SOPs in this category");
    expect(screen.queryByRole("link", { name: /New SOP|Create First SOP/ })).toBeNull();
  });

  it("says so when there is no such category", async () => {
    showApp(fakeServer(signedInReplies()), "/category/nowhere");
    await screen.findByRole("heading", { level: 1, name: "Category Not Found" });
  });

  it("says when the categories can't be had, and tries again", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/categories": new Refusal("busy") });
    const { user } = showApp(server, "/category/cat-hr");
    await screen.findByText("Failed to load the category");
    server.reply(signedInReplies());
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("heading", { level: 1, name: "HR Procedures" });
  });
});
