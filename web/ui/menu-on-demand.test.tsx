import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installBrowser, resetBrowser } from "../testing/render-app.tsx";
import { lazyPart } from "./lazy-part.tsx";
import { MenuOnDemand } from "./MenuOnDemand.tsx";
import { RowMenu } from "./RowMenu.tsx";
import { UiProvider } from "./UiProvider.tsx";

beforeEach(installBrowser);
afterEach(resetBrowser);

function aMenu() {
  let isThere = false;
  let asked = 0;
  const load = () => {
    asked += 1;
    return isThere ? Promise.resolve(() => <div role="menu">items</div>) : Promise.reject(new Error("no such chunk"));
  };
  const Items = lazyPart(load);
  const trigger = <button>open</button>;
  render(
    <MenuOnDemand trigger={trigger} preload={load}>
      {(menu) => <Items {...menu} />}
    </MenuOnDemand>,
    { wrapper: UiProvider },
  );
  return { arrive: () => (isThere = true), asked: () => asked };
}

it("asks for its code when the pointer or the focus comes to its button, and says nothing when that fails", async () => {
  const menu = aMenu();
  expect(menu.asked()).toBe(0);
  await userEvent.hover(screen.getByText("open"));
  expect(menu.asked()).toBe(1);
  await userEvent.tab();
  expect(menu.asked()).toBe(2);
  expect(screen.queryByText("This part could not be loaded")).toBeNull();
});

it("says that its code could not be loaded, keeps its button, and opens when asked again", async () => {
  const menu = aMenu();
  await userEvent.click(screen.getByText("open"));
  await screen.findByText("This part could not be loaded");
  await waitFor(() => expect(screen.getByText("open").getAttribute("aria-haspopup")).toBe("menu"));
  menu.arrive();
  await userEvent.click(screen.getByText("open"));
  await screen.findByRole("menu");
});

it("loads the code of what an item opens when the item is reached, before it is chosen", async () => {
  const done: string[] = [];
  const preload = () => {
    done.push("loaded");
    return Promise.resolve();
  };
  const edit = { label: "Edit", icon: null, preload, onSelect: () => done.push("edit") };
  render(<RowMenu label="Actions" actions={[{ label: "Look", icon: null, onSelect: () => undefined }, edit]} />, {
    wrapper: UiProvider,
  });
  await userEvent.tab();
  await userEvent.keyboard("{ArrowDown}");
  await screen.findByRole("menuitem", { name: "Edit" });
  expect(done).toEqual([]);
  screen.getByRole("menuitem", { name: "Edit" }).focus();
  expect(done).toEqual(["loaded"]);
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(done).toEqual(["loaded", "edit"]));
  await waitFor(() => expect(screen.getByRole("button", { name: "Actions" })).toBe(document.activeElement));
});
