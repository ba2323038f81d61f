import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { lintText } from "#core/lint/engine.ts";
import type { CheckedText } from "#core/sops/schema.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { openProperties, showSource } from "../../testing/edit-screen.ts";
import { aControl, aSop } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";
import { formFieldOf } from "./finding-field.ts";

afterEach(resetBrowser);

type User = ReturnType<typeof showApp>["user"];

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
  message: "description is missing",
  line: 0,
  stops: false,
};
const missing = (text: string) => ({
  ...placeholder,
  rule: "struct/sections",
  message: "The section Scope is missing",
  line: 0,
  endLine: 0,
  stops: false,
  fix: { safe: false, edits: [{ start: 0, end: 0, text }] },
});
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

const checks = async (user: User) => {
  await openProperties(user);
  const summary = await screen.findByText("Checks");
  const found = summary.closest("details");
  if (!found) throw new Error("no checks");
  return found;
};

describe("the checks of a text", () => {
  it("are asked for as it opens, and stand open when something stops publishing", async () => {
    const { user, server } = open({ ...told(placeholder, fixable), more: 3 });
    const region = await checks(user);
    await within(region).findByText("1 error, 1 suggestion, 3 more · 1 blocks publishing");
    expect(region.open).toBe(true);
    expect(within(region).getByRole("button", { name: /^Error: ?Replace the placeholder TODO$/ })).toBeTruthy();
    expect(within(region).getByText("Procedure, line 4 · Fix before publishing")).toBeTruthy();
    expect(within(region).getByText("And 3 more.")).toBeTruthy();
    const [requested] = server.requestsFor("POST /api/sops/check");
    expect(requested?.body).toMatchObject({ markdown, title: "Open the kitchen" });
  });

  it("say that there is nothing to settle, and are closed then", async () => {
    const { user } = open(told());
    const region = await checks(user);
    await within(region).findByText("No issues found");
    expect(region.open).toBe(false);
  });

  it("are fixed by a click, in the text, and checked again when it rests", async () => {
    const requested: string[] = [];
    const { user } = open(({ body }: RecordedRequest) => {
      const text = (body as { markdown: string }).markdown;
      requested.push(text);
      return told(...(text.includes("TODO") ? [fixable] : []));
    });
    // jsdom has no layout for the rich editor; the editor's own tests cover it
    await showSource(user);
    const region = await checks(user);
    await within(region).findByText("1 suggestion");
    await user.click(within(region).getByText("Checks"));
    await user.click(within(region).getByRole("button", { name: "Fix: Say what to close" }));
    const text = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content" }).value;
    expect(text()).toBe("## Procedure\n\n1. Open it.\n2. Close it.\n");
    expect(within(region).getByRole("status").textContent).toBe("Fixed · No issues found");
    expect(within(region).queryByRole("listitem")).toBeNull();
    expect(document.activeElement?.tagName).toBe("SUMMARY");
    await within(region).findByText("No issues found");
    expect(requested.at(-1)).toBe("## Procedure\n\n1. Open it.\n2. Close it.\n");
  });

  it("lead to the field of the form that they are about", async () => {
    const fields = [
      ["title", "title is missing", "Title"],
      ["description", "description is missing", "Description"],
      ["owner", "owner is missing", "Owner"],
      ["review_by", "review_by must be later than effective", "Review date"],
    ] as const;
    const finding = (key: string, message: string) => ({
      ...untitled,
      message,
      reason: { id: "core.lint.meta/required.missing", values: { key } },
    });
    const { user } = open(told(...fields.map(([key, message]) => finding(key, message))));
    const region = await checks(user);
    await within(region).findByText("4 errors");
    await user.click(within(region).getByText("Checks"));
    expect(within(region).getAllByText("Details")).toHaveLength(4);
    for (const [, message, label] of fields) {
      await user.click(within(region).getByRole("button", { name: new RegExp(`${message}$`) }));
      expect(document.activeElement).toBe(screen.getByLabelText(label));
    }
  });

  it("name the key of their field as the rules themselves do", () => {
    const head = (lines: string) => `---\nsop: "SOP-0001"\n${lines}---\n\n## Procedure\n\n1. Open it.\n`;
    const found = [head(""), head("effective: 2026-02-01\nreview_by: 2026-01-01\n"), head("effective: soon\n")]
      .flatMap((text) => lintText(text, { path: "x.md", preset: "recommended" }))
      .filter(({ rule }) => ["meta/required", "meta/dates"].includes(rule));
    const fields = found.map((one) => formFieldOf({ ...one, line: 0, stops: false }));
    expect(new Set(fields)).toEqual(new Set(["title", "description", "ownerId", "reviewBy", null]));
  });

  it("without a place in the text lead to where the fix goes", async () => {
    const stub = "## Scope\n\n[insert the scope]\n\n";
    const { user } = open(told(missing(stub)));
    await showSource(user);
    const region = await checks(user);
    await user.click(within(region).getByText("Checks"));
    expect(within(region).getByText("Whole text")).toBeTruthy();
    await user.click(await within(region).findByRole("button", { name: /^Error: ?The section Scope is missing$/ }));
    const area = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content" });
    await waitFor(() => expect(document.activeElement).toBe(area));
    expect(area.selectionStart).toBe(0);
  });

  it("tell what a suggestion changes, and leave the words that are to be written selected", async () => {
    const { user } = open(told(missing("## Scope\n\n[insert the scope]\n\n"), fixable));
    await showSource(user);
    const region = await checks(user);
    await user.click(within(region).getByText("Checks"));
    const [suggestion, safe] = await within(region).findAllByRole("listitem");
    expect([...(suggestion?.querySelectorAll("ins") ?? [])].map(({ textContent }) => textContent)).toEqual([
      "## Scope",
      "[insert the scope]",
    ]);
    expect(safe?.querySelector("ins, del")).toBeNull();
    await user.click(within(region).getByRole("button", { name: "Add section: The section Scope is missing" }));
    const area = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content" });
    await waitFor(() => expect(area.value.slice(area.selectionStart, area.selectionEnd)).toBe("[insert the scope]"));
    expect(document.activeElement).toBe(area);
  });

  it("are not fixed where the text has changed, and say so", async () => {
    const { user } = open(told(placeholder, fixable));
    await showSource(user);
    const region = await checks(user);
    await within(region).findByText("1 error, 1 suggestion · 1 blocks publishing");
    const area = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content" });
    fireEvent.change(area, { target: { value: markdown.replace("TODO", "TODO soon") } });
    await user.click(within(region).getByRole("button", { name: "Fix: Say what to close" }));
    expect(within(region).getByRole("alert").textContent).toMatch(/^The text changed\./);
    expect(area.value).toContain("TODO soon");
  });

  it("pass the focus on to the next one that is left", async () => {
    const other = {
      ...fixable,
      message: "Say what to open",
      fix: { safe: true, edits: [{ start: 17, end: 25, text: "Lift it." }] },
    };
    const { user } = open(told(other, placeholder, fixable));
    await showSource(user);
    const region = await checks(user);
    for (const [message, next] of [
      ["Say what to open", /^Error: ?Replace the placeholder TODO$/],
      ["Say what to close", /^Error: ?Replace the placeholder TODO$/],
    ] as const) {
      await user.click(await within(region).findByRole("button", { name: `Fix: ${message}` }));
      expect(document.activeElement).toBe(within(region).getByRole("button", { name: next }));
    }
    expect(within(region).getByRole("status").textContent).toBe("Fixed · 1 error · 1 blocks publishing");
  });

  it("say so when they can't be loaded", async () => {
    const { user } = open(new FakeRefusal("busy"));
    const region = await checks(user);
    await within(region).findByText("The server is busy. Try again in a moment");
  });
});
