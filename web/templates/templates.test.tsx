import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { openProperties, showSource } from "../testing/edit-screen.ts";
import { aControl, aSop } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const own = aSop({ title: "Our checklist", description: "As we do it.", isTemplate: true, categoryId: "cat-fin" });
const evacuation = { id: "evacuation", title: "Evacuation", description: "Everybody out.", tags: [], readTime: 7 };

function open(more: Replies = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/sops": { data: [own] },
    "GET /api/templates": [evacuation],
    "GET /api/templates/evacuation": { ...evacuation, markdown: "## Purpose\n", content: "<h2>Purpose</h2>" },
    [`GET /api/sops/${own.id}`]: { ...own, markdown: "- [ ] Lights\n", content: "", control: aControl() },
    ...more,
  });
  return { server, ...showApp(server, "/sop/new") };
}
const dialog = () => screen.findByRole("dialog", { name: "Start from a template" });
const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

describe("a new SOP from a template", () => {
  it("offers the company's own and the library's, found by words, and takes the text over", async () => {
    const { user, server } = open();
    await user.click(await screen.findByRole("button", { name: "From template" }));
    const shown = within(await dialog());
    const company = within(await shown.findByRole("region", { name: "Your company's templates" }));
    expect(company.getByRole("button", { name: /^Our checklist/ })).toBeTruthy();
    const library = within(shown.getByRole("region", { name: "Template library" }));
    expect(library.getByRole("button", { name: /^Evacuation/ }).textContent).toContain("7 min read");
    expect(server.requestsFor("GET /api/sops").map(({ query }) => query)).toContainEqual({
      template: "true",
      limit: "200",
    });
    expect(shown.queryByText("This replaces the text you have here.")).toBeNull();
    await user.type(shown.getByPlaceholderText("Search templates…"), "zzz");
    expect(shown.getByText("No matching templates.")).toBeTruthy();
    await user.clear(shown.getByPlaceholderText("Search templates…"));
    await user.type(shown.getByPlaceholderText("Search templates…"), "everybody");
    expect(shown.queryByRole("button", { name: /^Our checklist/ })).toBeNull();
    await user.click(shown.getByRole("button", { name: /^Evacuation/ }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(valueOf("Title")).toBe("Evacuation"));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Title")));
    expect(valueOf("Description")).toBe("Everybody out.");
    await openProperties(user);
    expect(valueOf("Read time (min)")).toBe("7");
    await showSource(user);
    expect(valueOf("Content")).toBe("## Purpose\n");
  });

  it("brings the category of a company's template, and warns of what it replaces", async () => {
    const { user } = open();
    await user.type(await screen.findByLabelText("Title"), "Begun");
    await user.click(screen.getByRole("button", { name: "From template" }));
    const shown = within(await dialog());
    await shown.findByText("This replaces the text you have here.");
    await user.click(await shown.findByRole("button", { name: /^Our checklist/ }));
    await waitFor(() => expect(valueOf("Title")).toBe("Our checklist"));
    expect(valueOf("Category")).toBe("cat-fin");
    await showSource(user);
    expect(valueOf("Content")).toBe("- [ ] Lights\n");
  });

  it("says when the templates, or one of them, can't be loaded, and changes nothing then", async () => {
    const { user, server } = open({ "GET /api/templates": new FakeRefusal("internal") });
    await user.click(await screen.findByRole("button", { name: "From template" }));
    const shown = within(await dialog());
    await shown.findByText("Couldn't load the templates.");
    server.reply({
      "GET /api/templates": [evacuation],
      "GET /api/templates/evacuation": new FakeRefusal("not_found", ""),
    });
    await user.click(shown.getByRole("button", { name: "Try Again" }));
    await user.click(await shown.findByRole("button", { name: /^Evacuation/ }));
    await screen.findByText("Couldn't open the template. Try again.");
    expect(valueOf("Title")).toBe("");
    expect(await dialog()).toBeTruthy();
  });
});
