/** The times and sizes of toasts, tooltips and menus (`docs/spec/screens.md`). */
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { installBrowser, resetBrowser } from "../testing/render-app.tsx";
import { DropdownMenu, MenuItem, Submenu } from "./DropdownMenu.tsx";
import { IconButton } from "./IconButton.tsx";
import { useToast } from "./Toast.tsx";
import { UiProvider } from "./UiProvider.tsx";

beforeEach(installBrowser);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  resetBrowser();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe("a toast", () => {
  function Saying() {
    const toast = useToast();
    return <button onClick={() => toast({ title: "Saved" })}>say</button>;
  }
  const toasts = () => within(screen.getByRole("region", { name: /^notifications/i })).queryAllByRole("listitem");

  async function say() {
    render(<Saying />, { wrapper: UiProvider });
    fireEvent.click(screen.getByText("say"));
    return await screen.findByRole("region", { name: /^notifications/i });
  }
  function swipe(toast: HTMLElement, distance: number) {
    fireEvent.pointerDown(toast, { button: 0, clientX: 100, clientY: 10 });
    fireEvent.pointerMove(toast, { clientX: 120, clientY: 10 });
    fireEvent.pointerMove(toast, { clientX: 100 + distance, clientY: 10 });
    fireEvent.pointerUp(toast, { clientX: 100 + distance, clientY: 10 });
  }

  it("is swiped away by more than 50 px, and comes back from less", async () => {
    await say();
    swipe(await screen.findByRole("listitem"), 50);
    expect(toasts()).toHaveLength(1);
    swipe(toasts()[0] as HTMLElement, 51);
    expect(toasts()).toEqual([]);
  });

  it("is at most 420 px wide on medium screens and up; at the top of small ones, at the bottom right of larger", async () => {
    const region = await say();
    const list = within(region).getByRole("list");
    for (const name of ["top-14", "sm:top-auto", "sm:right-(--scrollbar)", "sm:bottom-0", "md:max-w-[420px]"]) {
      expect([...list.classList]).toContain(name);
    }
  });
});

describe("a tooltip", () => {
  const buttons = (
    <UiProvider>
      <IconButton label="Save">
        <i />
      </IconButton>
      <IconButton label="Print">
        <i />
      </IconButton>
    </UiProvider>
  );
  const button = (name: string) => screen.getByRole("button", { name });
  const isOpen = () => screen.queryByRole("tooltip") !== null;

  it("opens at once within 300 ms of the last one, and later only after the 700 ms again", async () => {
    vi.useFakeTimers();
    render(buttons);
    fireEvent.pointerMove(button("Save"));
    await pass(700);
    expect(isOpen()).toBe(true);
    fireEvent.pointerDown(button("Save"));
    fireEvent.pointerLeave(button("Save"));
    expect(isOpen()).toBe(false);
    await pass(299);
    fireEvent.pointerMove(button("Print"));
    expect(screen.getByRole("tooltip").textContent).toContain("Print");
    fireEvent.pointerDown(button("Print"));
    fireEvent.pointerLeave(button("Print"));
    await pass(300);
    fireEvent.pointerMove(button("Save"));
    await pass(699);
    expect(isOpen()).toBe(false);
    await pass(1);
    expect(isOpen()).toBe(true);
  });

  it("is 4 px from its button", async () => {
    const size = { configurable: true, value: 1000 };
    Object.defineProperty(document.documentElement, "clientWidth", size);
    Object.defineProperty(document.documentElement, "clientHeight", size);
    vi.spyOn(HTMLButtonElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(400, 500, 32, 32));
    vi.useFakeTimers();
    render(buttons);
    fireEvent.pointerMove(button("Save"));
    await pass(700);
    const place = document.querySelector<HTMLElement>("[data-radix-popper-content-wrapper]")?.style.transform;
    expect(place).toBe("translate(416px, 496px)");
  });
});

describe("a submenu", () => {
  const item = (name: string) => screen.getByRole("menuitem", { name });
  const isOpen = () => screen.queryByRole("menuitem", { name: "Word" }) !== null;

  async function open() {
    render(
      <DropdownMenu trigger={<button>More</button>}>
        <Submenu label="Other formats">
          <MenuItem>Word</MenuItem>
        </Submenu>
        <MenuItem>Delete</MenuItem>
      </DropdownMenu>,
    );
    fireEvent.keyDown(screen.getByText("More"), { key: "Enter" });
    vi.useFakeTimers();
  }
  const hover = (name: string, clientX: number, clientY: number) =>
    fireEvent.pointerMove(item(name), { pointerType: "mouse", clientX, clientY });

  it("opens when the pointer has rested on it for 100 ms", async () => {
    await open();
    hover("Other formats", 10, 10);
    await pass(99);
    expect(isOpen()).toBe(false);
    await pass(1);
    expect(isOpen()).toBe(true);
  });

  it("gives the pointer 300 ms to reach it across other items", async () => {
    await open();
    hover("Other formats", 10, 10);
    await pass(100);
    const content = item("Word").closest<HTMLElement>("[role=menu]") as HTMLElement;
    vi.spyOn(content, "getBoundingClientRect").mockReturnValue(new DOMRect(200, 0, 150, 300));
    const isLit = () => item("Delete").hasAttribute("data-highlighted");
    for (const [wait, lit] of [
      [299, false],
      [300, true],
    ] as const) {
      hover("Other formats", 100, 20);
      fireEvent.pointerLeave(item("Other formats"), { pointerType: "mouse", clientX: 100, clientY: 20 });
      await pass(wait);
      hover("Delete", 120, 40);
      expect([wait, isLit()]).toEqual([wait, lit]);
    }
  });
});
