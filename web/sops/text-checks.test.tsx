import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { CheckedText } from "#core/sops/schema.ts";
import { fakeServer, Refusal, signedInReplies, type Asked, type Replies } from "../testing/fake-server.ts";
import { aControl, aSop } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000abcd";
const markdown = "## Procedure\n\n1. Open it.\n2. TODO\n";
const at = { line: 4, column: 4, endLine: 4, endColumn: 8 };
const placeholder = {
  rule: "text/placeholder",
  severity: "error" as const,
  message: "Replace the placeholder TODO",
  ...at,
  stops: true,
};
const fixable = {
  rule: "house/close",
  severity: "warning" as const,
  message: "Say what to close",
  ...at,
  fix: { safe: true, edits: [{ start: 29, end: 33, text: "Close it." }] },
  stops: false,
};
const untitled = {
  ...placeholder,
  rule: "meta/required",
  message: "The description is missing",
  line: 0,
  stops: false,
};
const told = (...findings: CheckedText["findings"]): CheckedText => ({ findings, more: 0 });

function open(check: unknown) {
  const sop = {
    ...aSop({ id, title: "Open the kitchen", status: "draft", version: 3 }),
    content: "",
    markdown,
    control: aControl(),
  };
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: sop,
    [`GET /api/sops/${id}/versions`]: [],
    "POST /api/sops/check": check,
  } as Replies);
  return { server, ...showApp(server, `/sop/${id}/edit`) };
}

const checks = async () => {
  const summary = await screen.findByText("Checks");
  const found = summary.closest("details");
  if (!found) throw new Error("no checks");
  return found;
};

describe("the checks of a text", () => {
  it("are asked for as it opens, and stand open when something stops publishing", async () => {
    const { server } = open({ ...told(placeholder, fixable), more: 3 });
    const region = await checks();
    await within(region).findByText("1 stops publishing · 4 suggestions");
    expect(region.open).toBe(true);
    expect(within(region).getByRole("button", { name: /^Error: ?Replace the placeholder TODO$/ })).toBeTruthy();
    expect(within(region).getByText("Procedure, line 4 · Stops approval and publishing")).toBeTruthy();
    expect(within(region).getByText("And 3 more.")).toBeTruthy();
    const [asked] = server.askedFor("POST /api/sops/check");
    expect(asked?.body).toMatchObject({ markdown, title: "Open the kitchen" });
  });

  it("say that there is nothing to settle, and are closed then", async () => {
    open(told());
    const region = await checks();
    await within(region).findByText("Nothing to settle");
    expect(region.open).toBe(false);
  });

  it("are put right by a click, in the text, and asked for again when it rests", async () => {
    const asked: string[] = [];
    const { user } = open(({ body }: Asked) => {
      const text = (body as { markdown: string }).markdown;
      asked.push(text);
      return told(...(text.includes("TODO") ? [fixable] : []));
    });
    // jsdom has no layout for the rich editor; its own way is tested with the editor
    await user.click(await screen.findByRole("button", { name: "Markdown source" }));
    const region = await checks();
    await within(region).findByText("1 suggestion");
    await user.click(within(region).getByText("Checks"));
    await user.click(within(region).getByRole("button", { name: "Fix: Say what to close" }));
    const text = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content" }).value;
    expect(text()).toBe("## Procedure\n\n1. Open it.\n2. Close it.\n");
    await within(region).findByText("Nothing to settle", {}, { timeout: 5000 });
    expect(asked.at(-1)).toBe("## Procedure\n\n1. Open it.\n2. Close it.\n");
  });

  it("lead to the title for what stands in no line", async () => {
    const { user } = open(told(untitled));
    const region = await checks();
    await within(region).findByText("1 suggestion");
    await user.click(within(region).getByText("Checks"));
    await user.click(within(region).getByRole("button", { name: /The description is missing$/ }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Title")));
  });

  it("say so when they can't be had", async () => {
    open(new Refusal("busy"));
    const region = await checks();
    await within(region).findByText("The server is busy, try again in a moment");
  });
});
