import { cleanup, configure, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense, useState } from "react";
import { afterEach, expect, it } from "vitest";
import { lazyView } from "./lazy-view.tsx";

// a second is too short for a busy machine
configure({ asyncUtilTimeout: 30_000 });
afterEach(cleanup);

/** Code that is not there until `arrive` says so. */
function aView(name: string, told?: "here" | "elsewhere") {
  let isThere = false;
  let asked = 0;
  const Field = () => {
    const [text, setText] = useState("");
    return <input aria-label={name} value={text} onChange={({ target }) => setText(target.value)} />;
  };
  const View = lazyView(() => {
    asked += 1;
    return isThere ? Promise.resolve(Field) : Promise.reject(new Error("no such chunk"));
  }, told);
  return { View, arrive: () => (isThere = true), asked: () => asked };
}

function Page({ of, round = 0 }: { of: readonly ReturnType<typeof aView>[]; round?: number }) {
  return (
    <main data-round={round}>
      <input aria-label="Title" />
      {of.map(({ View }, index) => (
        <Suspense key={index} fallback="waits">
          <View />
        </Suspense>
      ))}
    </main>
  );
}

it("says in its place that it could not be loaded, leaves the page, and comes when it is tried again", async () => {
  const view = aView("Comment");
  render(<Page of={[view]} />);
  await userEvent.type(screen.getByLabelText("Title"), "Rinse");
  expect((await screen.findByRole("alert")).textContent).toContain("This part could not be loaded");
  await userEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByRole("alert");
  expect(view.asked()).toBe(2);
  view.arrive();
  await userEvent.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByLabelText("Comment");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByLabelText("Title")).toHaveProperty("value", "Rinse");
});

it("is tried again with all that failed, also with what says nothing of it", async () => {
  const views = [aView("Banner"), aView("Frame", "elsewhere"), aView("Comment")];
  render(<Page of={views} />);
  await screen.findAllByRole("alert");
  expect(screen.getAllByRole("alert")).toHaveLength(2);
  for (const view of views) view.arrive();
  await userEvent.click(screen.getAllByRole("button", { name: "Try Again" })[0] as HTMLElement);
  for (const name of ["Banner", "Frame", "Comment"]) await screen.findByLabelText(name);
  expect(views.map(({ asked }) => asked())).toEqual([2, 2, 2]);
});

it("asks once more where it failed on a page that was left since", async () => {
  const view = aView("Comment");
  const { unmount } = render(<Page of={[view]} />);
  await screen.findByRole("alert");
  unmount();
  view.arrive();
  render(<Page of={[view]} />);
  await screen.findByLabelText("Comment");
});

it("stays what it is, with what is typed in it, whether it was loaded ahead or not", async () => {
  const view = aView("Comment");
  view.arrive();
  const { rerender, unmount } = render(<Page of={[view]} />);
  await userEvent.type(await screen.findByLabelText("Comment"), "Clear");
  await view.View.preload();
  rerender(<Page of={[view]} round={1} />);
  expect(screen.getByLabelText("Comment")).toHaveProperty("value", "Clear");
  unmount();
  render(<Page of={[view]} />);
  // at once
  screen.getByLabelText("Comment");
  expect(view.asked()).toBe(1);
});
