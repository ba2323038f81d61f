import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { installBrowser } from "../testing/render-app.tsx";
import { useToast } from "./Toast.tsx";
import { UiProvider } from "./UiProvider.tsx";

/** Positions of elements in a window of 1000 × 800; a word names the toast's place. */
const rects = { toast: { "": [580, 700], "bottom-left": [0, 700], "top-left": [0, 0] }, row: [600, 720] } as const;
let row: readonly [number, number] = rects.row;

beforeEach(() => {
  installBrowser();
  vi.stubGlobal("innerHeight", 800);
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    const region = this.closest<HTMLElement>("ol[data-place]");
    const [left, top] = region ? rects.toast[region.dataset["place"] as ""] : this.matches("[data-row]") ? row : [0, 0];
    const [width, height] = region ? [400, 90] : this.matches("[data-row]") ? [300, 40] : [0, 0];
    return DOMRect.fromRect?.({ x: left, y: top, width, height }) ?? box(left, top, width, height);
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function box(left: number, top: number, width: number, height: number): DOMRect {
  return { left, top, width, height, right: left + width, bottom: top + height, x: left, y: top, toJSON: () => ({}) };
}

function Page() {
  const toast = useToast();
  const [rows, setRows] = useState<number[]>([]);
  const add = () => {
    toast({ title: "Comment added" });
    setRows((before) => [...before, before.length]);
  };
  return (
    <>
      <button type="button" onClick={add}>
        Add
      </button>
      <ul>
        {rows.map((one) => (
          <li key={one} data-row />
        ))}
      </ul>
    </>
  );
}
const add = (at: readonly [number, number]): void => {
  row = at;
  act(() => screen.getByRole("button", { name: "Add" }).click());
};
const place = () => document.querySelector<HTMLElement>("ol[data-place]")?.dataset["place"];

it("a toast moves away from the row it announces, and is in its usual place where it covers none", async () => {
  render(
    <UiProvider>
      <Page />
    </UiProvider>,
  );
  add([0, 100]);
  await screen.findByText("Comment added");
  expect(place()).toBe("");
  // the region exists now, so it notices later elements
  add(rects.row);
  await waitFor(() => expect(place()).toBe("bottom-left"));
});
