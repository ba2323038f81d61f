import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SopStatus } from "#core/sops/statuses.ts";
import { installBrowser, resetBrowser } from "../testing/render-app.tsx";
import { AlertDialog } from "./AlertDialog.tsx";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { OneTimeLinkDialog } from "./OneTimeLinkDialog.tsx";
import { DropdownMenu, MenuItem } from "./DropdownMenu.tsx";
import { Field } from "./Field.tsx";
import { FormDialog } from "./FormDialog.tsx";
import { IconButton } from "./IconButton.tsx";
import { Input } from "./Input.tsx";
import { StatusBadge } from "./StatusBadge.tsx";
import { Switch } from "./Switch.tsx";
import { useToast } from "./Toast.tsx";
import { UiProvider } from "./UiProvider.tsx";

beforeEach(installBrowser);
afterEach(() => {
  vi.useRealTimers();
  resetBrowser();
});

describe("Button", () => {
  it("refuses clicks and submits while it is busy, without losing the focus", async () => {
    const [click, submit] = [vi.fn(), vi.fn((event: { preventDefault(): void }) => event.preventDefault())];
    render(
      <form onSubmit={submit}>
        <Button type="submit" busy onClick={click}>
          Save
        </Button>
      </form>,
    );
    const button = screen.getByRole("button", { name: "Save" });
    button.focus();
    await userEvent.click(button);
    await userEvent.keyboard("{Enter}");
    expect([click.mock.calls.length, submit.mock.calls.length]).toEqual([0, 0]);
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute("aria-busy")).toBe("true");
  });
});

describe("Field", () => {
  it("names its control, and describes it by hint and error", () => {
    render(
      <Field label="Title" hint="Short" error="Title is required">
        {(control) => <Input {...control} />}
      </Field>,
    );
    const input = screen.getByLabelText("Title");
    expect(input.getAttribute("aria-invalid")).toBe("true");
    const described = input.getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(["Title is required", "Short"]);
    expect(screen.getByRole("alert").textContent).toBe("Title is required");
  });
});

describe("Switch", () => {
  it("is announced as a switch and toggles", async () => {
    render(<Switch label="Enable AI Features" />);
    const control = screen.getByRole("switch", { name: "Enable AI Features" });
    await userEvent.click(control);
    expect(control).toHaveProperty("checked", true);
  });
});

describe("StatusBadge", () => {
  it.each([
    ["published", "Published"],
    ["draft", "Draft"],
    ["under_review", "Under Review"],
    ["archived", "Archived"],
    ["toString", "Draft"],
  ])("%s is '%s', with a shape", (status, word) => {
    const { container } = render(<StatusBadge sop={{ status: status as SopStatus, version: 1 }} />);
    expect(container.textContent).toBe(word);
    expect(container.querySelector("span > span")?.getAttribute("aria-hidden")).toBe("true");
  });
});

describe("Tooltip", () => {
  it("opens after 700 ms, with the shortcut", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: false });
    render(
      <UiProvider>
        <IconButton label="Save" shortcut="Mod+S">
          <i />
        </IconButton>
      </UiProvider>,
    );
    const button = screen.getByRole("button", { name: "Save" });
    act(() => void button.dispatchEvent(new MouseEvent("pointermove", { bubbles: true })));
    act(() => void vi.advanceTimersByTime(699));
    expect(screen.queryByRole("tooltip")).toBeNull();
    act(() => void vi.advanceTimersByTime(1));
    expect(screen.getByRole("tooltip").textContent).toContain("Ctrl+S");
  });
});

function Toasts() {
  const toast = useToast();
  return (
    <>
      <button onClick={() => toast({ title: "SOP Created", description: "Saved as a draft." })}>one</button>
      <button onClick={() => toast({ title: "Error", variant: "destructive" })}>two</button>
    </>
  );
}

const toasts = () => within(screen.getByRole("region", { name: /notifications/i })).queryAllByRole("listitem");

describe("Toast", () => {
  it("shows one at a time, the newest", async () => {
    render(<Toasts />, { wrapper: UiProvider });
    await userEvent.click(screen.getByText("one"));
    await screen.findByRole("region", { name: /notifications/i });
    await waitFor(() => expect(toasts().map((toast) => toast.textContent)).toEqual(["SOP CreatedSaved as a draft."]));
    await userEvent.click(screen.getByText("two"));
    expect(toasts().map((toast) => toast.textContent)).toEqual(["Error"]);
    await userEvent.click(within(toasts()[0] as HTMLElement).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(toasts()).toEqual([]));
  });

  it("goes after 5000 ms", async () => {
    render(<Toasts />, { wrapper: UiProvider });
    act(() => screen.getByText("two").click());
    await screen.findByRole("region", { name: /notifications/i });
    vi.useFakeTimers();
    act(() => screen.getByText("one").click());
    act(() => void vi.advanceTimersByTime(4_999));
    expect(toasts()).toHaveLength(1);
    act(() => void vi.advanceTimersByTime(1));
    expect(toasts()).toEqual([]);
  });
});

describe("dialogs", () => {
  it("write no style element, which the content security policy would refuse", async () => {
    render(
      <Dialog open onOpenChange={() => {}} title="Version history">
        <DropdownMenu trigger={<button>More</button>}>
          <MenuItem>Archive</MenuItem>
        </DropdownMenu>
      </Dialog>,
    );
    await screen.findByRole("dialog", { name: "Version history" });
    expect(document.querySelectorAll("[data-overlay]")).toHaveLength(1);
    await userEvent.click(screen.getByText("More"));
    expect(screen.getByRole("menuitem", { name: "Archive" })).toBeTruthy();
    expect(document.querySelectorAll("style")).toHaveLength(0);
  });

  it("that ask start on Cancel, and stay until they are closed", async () => {
    const [confirm, change] = [vi.fn(), vi.fn()];
    render(
      <AlertDialog
        open
        onOpenChange={change}
        title="Delete?"
        description="You can restore it for 30 days."
        confirm="Delete"
        onConfirm={confirm}
      />,
    );
    const question = await screen.findByRole("alertdialog", { name: "Delete?" });
    expect(document.activeElement?.textContent).toBe("Cancel");
    await userEvent.click(within(question).getByRole("button", { name: "Delete" }));
    expect([confirm.mock.calls.length, change.mock.calls.length]).toEqual([1, 0]);
    await userEvent.click(within(question).getByRole("button", { name: "Cancel" }));
    expect(change).toHaveBeenCalledWith(false);
    expect(document.querySelectorAll("style")).toHaveLength(0);
  });

  it("close by Escape and give the focus back", async () => {
    function Opener() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <button onClick={() => setOpen(true)}>open</button>
          <Dialog open={open} onOpenChange={setOpen} title="Title" />
        </>
      );
    }
    render(<Opener />);
    await userEvent.click(screen.getByText("open"));
    await screen.findByRole("dialog", { name: "Title" });
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.querySelector("[data-overlay]")).toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("open"));
  });

  it("that show a link once put the focus on it, past the button that closes them, also when they load late", async () => {
    render(<OneTimeLinkDialog title="Link" description="Once" link="/reset-password?token=t" onClose={() => {}} />);
    const link = await screen.findByLabelText("One-time link");
    await waitFor(() => expect(document.activeElement).toBe(link));
  });

  it("say so where the browser refuses to copy, with the text selected", async () => {
    const user = userEvent.setup();
    const refused = vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("blocked"));
    render(<OneTimeLinkDialog title="Link" description="Once" link="https://a.test/x" onClose={() => {}} />);
    const link = await screen.findByLabelText<HTMLInputElement>("One-time link");
    await user.click(screen.getByRole("button", { name: "Copy" }));
    await screen.findByText("Your browser blocked copying. Copy the selected text.");
    expect([link.selectionStart, link.selectionEnd]).toEqual([0, "https://a.test/x".length]);
    refused.mockRestore();
    await user.click(screen.getByRole("button", { name: "Copy" }));
    await screen.findByRole("button", { name: "Copied" });
    expect(screen.queryByText(/blocked copying/)).toBeNull();
  });

  it.each([
    ["http://localhost:3000/register?invite=t", true],
    ["https://sops.example.org/register?invite=t", false],
  ])("says of %s that no other computer opens it: %s", async (link, isSaid) => {
    render(<OneTimeLinkDialog title="Link" description="Once" link={link} onClose={() => {}} />);
    await screen.findByLabelText("One-time link");
    expect(screen.queryByText(/opens on this computer only/) !== null).toBe(isSaid);
  });
});

describe("a form in a dialog", () => {
  it("starts in its first field", async () => {
    render(
      <FormDialog
        title="New"
        description="One."
        submitLabel="Save"
        busy={false}
        error={undefined}
        onSubmit={vi.fn()}
        onClose={vi.fn()}
      >
        <Field label="Name">{(control) => <Input {...control} />}</Field>
      </FormDialog>,
      { wrapper: UiProvider },
    );
    const field = await screen.findByLabelText("Name");
    await waitFor(() => expect(document.activeElement).toBe(field));
  });
});

describe("Ctrl+Enter in a dialog", () => {
  it("presses the main button, also from within a text, unless that is refused", async () => {
    const [cancel, send] = [vi.fn(), vi.fn()];
    const footer = (refused: boolean) => (
      <>
        <Button onClick={cancel}>Cancel</Button>
        <Button disabled={refused} onClick={send}>
          Send
        </Button>
      </>
    );
    const window = (refused: boolean) => (
      <Dialog open title="Note" onOpenChange={() => {}} footer={footer(refused)}>
        <textarea aria-label="Words" />
      </Dialog>
    );
    const { rerender } = render(window(true), { wrapper: UiProvider });
    await userEvent.type(await screen.findByLabelText("Words"), "one{Enter}two{Control>}{Enter}{/Control}");
    rerender(window(false));
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    expect([cancel.mock.calls.length, send.mock.calls.length]).toEqual([0, 1]);
    expect(screen.getByLabelText("Words")).toHaveProperty("value", "one\ntwo");
  });

  it("answers a question with yes", async () => {
    const confirm = vi.fn();
    render(
      <AlertDialog
        open
        onOpenChange={() => {}}
        title="Approve"
        description="Sure?"
        confirm="Approve"
        onConfirm={confirm}
      >
        <textarea aria-label="Comment" />
      </AlertDialog>,
      { wrapper: UiProvider },
    );
    await userEvent.type(await screen.findByLabelText("Comment"), "fine{Control>}{Enter}{/Control}");
    expect(confirm).toHaveBeenCalledOnce();
  });
});
