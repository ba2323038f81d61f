import { act, cleanup, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { useFocusFallback } from "./use-focus-fallback.ts";

afterEach(cleanup);

function Page() {
  useFocusFallback();
  const [asks, setAsks] = useState(true);
  const [isBeside, setBeside] = useState(true);
  return (
    <>
      <main id="main">
        <section aria-label="Approval">{asks && <button onClick={() => setAsks(false)}>Approve</button>}</section>
      </main>
      {isBeside && <button onClick={() => setBeside(false)}>Close the bar</button>}
    </>
  );
}

const press = async (name: string) => {
  const button = screen.getByRole("button", { name });
  button.focus();
  await act(async () => button.click());
};

it("moves the focus of a removed control to what is around it, if that stays", async () => {
  render(<Page />);
  await press("Approve");
  const section = screen.getByRole("region", { name: "Approval" });
  expect(document.activeElement).toBe(section);
  screen.getByRole("button", { name: "Close the bar" }).focus();
  expect(section.hasAttribute("tabindex")).toBe(false);
});

it("ignores controls outside the page's content", async () => {
  render(<Page />);
  await press("Close the bar");
  expect(document.activeElement).toBe(document.body);
});

it("leaves alone what was left by a click elsewhere before it went", async () => {
  render(<Page />);
  const button = screen.getByRole("button", { name: "Approve" });
  button.focus();
  document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  button.blur();
  await act(async () => button.click());
  expect(document.activeElement).toBe(document.body);
});
