import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installBrowser, resetBrowser } from "../testing/render-app.tsx";
import { lazyPart } from "./lazy-part.tsx";
import { UiProvider } from "./UiProvider.tsx";

beforeEach(installBrowser);
afterEach(resetBrowser);

/** A part whose code is missing until `arrive` is called. */
function aPart(name = "Comment") {
  let isThere = false;
  let requested = 0;
  const Field = () => {
    const [text, setText] = useState("");
    return <input aria-label={name} value={text} onChange={({ target }) => setText(target.value)} />;
  };
  const Part = lazyPart<object>(() => {
    requested += 1;
    return isThere ? Promise.resolve(Field) : Promise.reject(new Error("no such chunk"));
  });
  return { Part, arrive: () => (isThere = true), requested: () => requested };
}

it("keeps the part's place until its code is there", async () => {
  let arrive: (part: () => string) => void = () => undefined;
  const code = new Promise<() => string>((resolve) => (arrive = resolve));
  const Part = lazyPart(
    () => code,
    () => <p>Loading…</p>,
  );
  render(<Part />);
  screen.getByText("Loading…");
  arrive(() => "here it is");
  await screen.findByText("here it is");
  expect(screen.queryByText("Loading…")).toBeNull();
});

it("says in place of a part that its code can't be loaded, keeps the rest of the screen, and retries all parts at once", async () => {
  const parts = [aPart("Banner"), aPart("Comment")];
  render(
    <main>
      <input aria-label="Title" />
      {parts.map(({ Part }, index) => (
        <Part key={index} />
      ))}
    </main>,
  );
  await userEvent.type(screen.getByLabelText("Title"), "Rinse");
  await waitFor(() => expect(screen.getAllByRole("alert")).toHaveLength(2));
  expect(screen.getAllByRole("alert")[0]?.textContent).toContain("Couldn't load this part");
  for (const { arrive } of parts) arrive();
  await userEvent.click(screen.getAllByRole("button", { name: "Try Again" })[0] as HTMLElement);
  for (const name of ["Banner", "Comment"]) await screen.findByLabelText(name);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByLabelText("Title")).toHaveProperty("value", "Rinse");
  expect(parts.map(({ requested }) => requested())).toEqual([2, 2]);
});

it("keeps what is typed in a part when the screen around it renders again", async () => {
  const { Part, arrive, requested } = aPart();
  arrive();
  const { rerender } = render(<Part />);
  await userEvent.type(await screen.findByLabelText("Comment"), "Clear");
  rerender(<Part />);
  expect(screen.getByLabelText("Comment")).toHaveProperty("value", "Clear");
  expect(requested()).toBe(1);
});

it("renders a part that was loaded ahead at once, and asks again where that failed", async () => {
  const { Part, arrive, requested } = aPart();
  await Part.preload();
  arrive();
  await Part.preload();
  render(<Part />);
  screen.getByLabelText("Comment");
  expect(requested()).toBe(2);
});

it("closes a dialog whose code can't be loaded, says so in a toast, and retries when the dialog opens again", async () => {
  const { Part, arrive, requested } = aPart();
  function Screen() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>{open ? "is open" : "open"}</button>
        {open && <Part onClose={() => setOpen(false)} />}
      </>
    );
  }
  render(<Screen />, { wrapper: UiProvider });
  expect(requested()).toBe(0);
  await userEvent.click(screen.getByText("open"));
  await screen.findByText("Couldn't load this part");
  screen.getByRole("button", { name: "Reload" });
  await screen.findByText("open");
  expect(requested()).toBe(1);
  arrive();
  await userEvent.click(screen.getByText("open"));
  await screen.findByLabelText("Comment");
  expect(requested()).toBe(2);
});
