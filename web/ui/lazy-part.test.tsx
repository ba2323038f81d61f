import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense, useState, type ReactNode } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installBrowser, resetBrowser } from "../testing/render-app.tsx";
import { lazyPart } from "./lazy-part.tsx";
import { UiProvider } from "./UiProvider.tsx";
import { useOnceOpen } from "./use-once-open.ts";

beforeEach(installBrowser);
afterEach(resetBrowser);

/** Code that is not there until `arrive` says so. */
function aPart() {
  let isThere = false;
  let asked = 0;
  const Part = lazyPart<{ text: string }>(() => {
    asked += 1;
    return isThere ? Promise.resolve(({ text }) => <p>{text}</p>) : Promise.reject(new Error("no such chunk"));
  });
  return { Part, arrive: () => (isThere = true), asked: () => asked };
}

async function openTwice(
  Place: (props: { open: boolean; close(): void }) => ReactNode,
  part: ReturnType<typeof aPart>,
) {
  function Screen() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>{open ? "is open" : "open"}</button>
        <Suspense fallback={null}>
          <Place open={open} close={() => setOpen(false)} />
        </Suspense>
      </>
    );
  }
  render(<Screen />, { wrapper: UiProvider });
  expect(part.asked()).toBe(0);
  await userEvent.click(screen.getByText("open"));
  await screen.findByText("This part could not be loaded");
  screen.getByRole("button", { name: "Reload" });
  await waitFor(() => screen.getByText("open"));
  expect(part.asked()).toBe(1);
  part.arrive();
  await userEvent.click(screen.getByText("open"));
  await screen.findByText("here it is");
  expect(part.asked()).toBe(2);
}

it("says that it could not be loaded, closes, and asks for its code again when it opens again", async () => {
  const part = aPart();
  await openTwice(({ open, close }) => open && <part.Part text="here it is" onClose={close} />, part);
});

it("is there at once where it was loaded ahead, and is asked for again where that failed", async () => {
  const part = aPart();
  await part.Part.preload();
  part.arrive();
  await part.Part.preload();
  expect(part.asked()).toBe(2);
  render(
    <Suspense fallback="waits">
      <part.Part text="here it is" onClose={() => undefined} />
    </Suspense>,
    { wrapper: UiProvider },
  );
  screen.getByText("here it is");
  expect(part.asked()).toBe(2);
});

it("does so too where it stays mounted once it was open", async () => {
  const part = aPart();
  await openTwice(({ open, close }) => {
    const [wasOpen, forget] = useOnceOpen(open);
    const giveUp = () => {
      forget();
      close();
    };
    return wasOpen && <part.Part text="here it is" onClose={giveUp} />;
  }, part);
});
