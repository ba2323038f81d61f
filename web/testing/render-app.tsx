/** Renders the whole application in jsdom, with stand-ins for functions that jsdom lacks. */
import { useLayoutEffect } from "react";
import { act, cleanup, configure, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, useLocation, useNavigate } from "react-router-dom";
import { App } from "../App.tsx";
import { forgetListPositions } from "../sops/list/use-list-position.ts";
import type { FakeServer } from "./fake-server.ts";

// The first query on a screen waits until the code of the screen is compiled, which can take 12 seconds on a busy
// machine.
configure({ asyncUtilTimeout: 30_000 });

/** A stand-in for `EventSource`. Tests send the events of the server by its methods. */
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

  /**
   * Breaks the connection. @param refused whether the server answered with an error, so that the browser doesn't
   * reconnect
   */
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
  // A test may have set its own function before.
  Element.prototype.scrollIntoView ??= () => {};
  // In jsdom no size ever changes, because it has no layout.
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
    // The window is wide enough for a drawer beside the page.
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

/** Makes lists show cards. By default they show rows. */
export function chooseCards() {
  localStorage.setItem("list-view", "grid");
}

interface RenderedApp {
  user: ReturnType<typeof userEvent.setup>;
  /** Returns path and query of the address bar. */
  address(): string;
  /** Presses the Back button of the browser. */
  goBack(): void;
}

/** Renders the application at a path. @param earlier the paths that were open before, the oldest first */
export function showApp(server: FakeServer, path = "/", ...earlier: string[]): RenderedApp {
  let address = "";
  let goBack = () => {};
  const Address = () => {
    const { pathname, search } = useLocation();
    const navigate = useNavigate();
    // A layout effect, so that the address changes together with the screen.
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
