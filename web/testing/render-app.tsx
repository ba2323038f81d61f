/** Puts the whole application on a jsdom screen, with what jsdom lacks. */
import { useLayoutEffect } from "react";
import { act, cleanup, configure, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, useLocation, useNavigate } from "react-router-dom";
import { App } from "../App.tsx";
import { forgetListPositions } from "../sops/list/use-list-position.ts";
import type { FakeServer } from "./fake-server.ts";

// the first look at a screen waits until its chunk is compiled: 12 seconds have been seen on a busy machine
configure({ asyncUtilTimeout: 30_000 });

/** A stand-in for `EventSource`: tests speak for the server. */
export class FakeStream extends EventTarget {
  static opened: FakeStream[] = [];
  readyState = 0;
  readonly url: string;

  constructor(url = "") {
    super();
    this.url = url;
    FakeStream.opened.push(this);
  }

  connect() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  emit(data: unknown, lastEventId = "1") {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(data), lastEventId }));
  }

  reset() {
    this.dispatchEvent(new MessageEvent("reset", { data: "{}" }));
  }

  /** `refused`: the server answered with an error and the browser gave up. */
  lose(refused: boolean) {
    this.readyState = refused ? 2 : 0;
    this.dispatchEvent(new Event("error"));
  }

  close() {
    this.readyState = 2;
  }
}

export function installBrowser() {
  Object.defineProperty(window, "EventSource", { configurable: true, value: FakeStream });
  Object.defineProperty(window, "scrollTo", { configurable: true, value: () => {} });
  // a test may have put its own there before
  Element.prototype.scrollIntoView ??= () => {};
  // jsdom lays nothing out: no size ever changes
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  for (const name of ["hasPointerCapture", "setPointerCapture", "releasePointerCapture"]) {
    Object.defineProperty(Element.prototype, name, { configurable: true, value: () => false });
  }
  Object.defineProperty(window, "matchMedia", {
    configurable: true,
    // drawers have room beside the page
    value: (query: string) => ({
      matches: query === "(min-width: 64rem)",
      addEventListener: () => {},
      removeEventListener: () => {},
    }),
  });
}

export function resetBrowser() {
  cleanup();
  FakeStream.opened = [];
  forgetListPositions();
  localStorage.clear();
  sessionStorage.clear();
  document.documentElement.className = "";
}

/** Lists show rows until the user chooses cards. */
export function chooseCards() {
  localStorage.setItem("list-view", "grid");
}

interface RenderedApp {
  user: ReturnType<typeof userEvent.setup>;
  /** Path and query of the address bar. */
  address(): string;
  /** The browser's button. */
  goBack(): void;
}

/** @param earlier what was open before */
export function showApp(server: FakeServer, path = "/", ...earlier: string[]): RenderedApp {
  let address = "";
  let goBack = () => {};
  const Address = () => {
    const { pathname, search } = useLocation();
    const navigate = useNavigate();
    // with what is shown, not after it
    useLayoutEffect(() => {
      address = pathname + search;
      goBack = () => act(() => void navigate(-1));
    });
    return null;
  };
  installBrowser();
  render(
    <MemoryRouter initialEntries={[...earlier, path]}>
      <Address />
      <App send={server.send} />
    </MemoryRouter>,
  );
  return { user: userEvent.setup(), address: () => address, goBack: () => goBack() };
}
