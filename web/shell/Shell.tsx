import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { clsx } from "clsx";
import { Suspense, useEffect, useLayoutEffect, useState } from "react";
import { Outlet, useLocation, useNavigationType } from "react-router-dom";
import { queryKeyOf, refreshQueries } from "../api.ts";
import { followEvents } from "../events.ts";
import { PaletteHost } from "../palette/PaletteHost.tsx";
import { useFirstEventId, useMay } from "../session.tsx";
import { useCommand } from "../shortcuts/use-command.ts";
import { Button } from "../ui/Button.tsx";
import { PortalContainerProvider } from "../ui/portal-container.ts";
import { Sheet } from "../ui/Sheet.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { UiProvider } from "../ui/UiProvider.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { texts } from "./texts.ts";
import { useTheme } from "./theme.ts";
import { TopBar } from "./TopBar.tsx";
import { useFocusFallback } from "./use-focus-fallback.ts";
import { sidebarId, useSidebar } from "./use-sidebar.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useAssistantPanel } from "../ai/use-panel.ts";

const Assistant = lazyPart(() => import("../ai/Assistant.tsx").then((module) => module.Assistant));

/** The frame of every signed-in screen: sidebar, top bar and content. */
export function Shell() {
  const { pathname } = useLocation();
  // The edit screen and the first-day screen use the whole window and have their own bar.
  const isAlone = /^\/(start|sop\/(new|[^/]+\/edit))$/.test(pathname);
  const sidebar = useSidebar(isAlone);
  const theme = useTheme();
  useCommand("theme", theme.toggle);
  const [isLive, reconnect] = useLiveRefresh();
  useScrollToTop(pathname);
  useFocusFallback();
  const [main, setMain] = useState<HTMLElement | null>(null);
  return (
    <UiProvider>
      <PortalContainerProvider value={main}>
        <a
          href="#main"
          className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-primary px-4 py-2 font-medium text-on-primary focus:translate-y-0"
        >
          {texts.skip}
        </a>
        <div
          className={clsx(
            "grid min-h-dvh grid-cols-[minmax(0,1fr)] print:block",
            sidebar.shown && "lg:grid-cols-[16rem_minmax(0,1fr)]",
          )}
        >
          <aside
            id={sidebarId}
            aria-label={texts.sidebar}
            data-print="hide"
            className={clsx("hidden border-r border-line", sidebar.shown && "lg:block")}
          >
            <div className="sticky top-0 h-dvh">
              <Sidebar />
            </div>
          </aside>
          <Sheet open={sidebar.isOver} onOpenChange={sidebar.setOver} title={texts.navigation}>
            <Sidebar onNavigate={() => sidebar.setOver(false)} />
          </Sheet>
          <div className="flex min-w-0 flex-col">
            {!isAlone && <TopBar onOpenNavigation={() => sidebar.setOver(true)} sidebar={sidebar} theme={theme} />}
            {!isLive && <ConnectionLost onRetry={reconnect} />}
            <main
              id="main"
              ref={setMain}
              tabIndex={-1}
              className={clsx(
                "flex-1 outline-none print:max-w-none print:p-0",
                !isAlone && pathname !== "/pending" && "mx-auto w-full max-w-6xl px-4 pt-4 pb-16 sm:px-8 sm:pt-6",
              )}
            >
              <ErrorBoundary resetKey={pathname}>
                <Suspense fallback={<PageSpinner />}>
                  <Outlet />
                </Suspense>
              </ErrorBoundary>
            </main>
          </div>
        </div>
        <AssistantHost />
        <PaletteHost />
      </PortalContainerProvider>
    </UiProvider>
  );
}

function ConnectionLost({ onRetry }: { onRetry(): void }) {
  return (
    <div
      role="alert"
      data-print="hide"
      className="sticky top-top z-20 flex items-center justify-center gap-2 bg-warning-soft px-4 py-2 text-center text-text"
    >
      <WifiOff aria-hidden className="size-4 shrink-0 text-warning" />
      {texts.connectionLost}
      <Button size="sm" onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}

/** Scrolls each new screen to its top. For Back and Forward the browser restores the position. */
function useScrollToTop(pathname: string) {
  const type = useNavigationType();
  // This runs before the screen's own effects, which may scroll to a place that the address names.
  useLayoutEffect(() => {
    if (type !== "POP") window.scrollTo(0, 0);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a filter in the URL is not a new screen
  }, [pathname]);
}

/** Refreshes data that others change. Returns whether the connection is up, and a function that reconnects at once. */
function useLiveRefresh(follow: typeof followEvents = followEvents): [isLive: boolean, retry: () => void] {
  const queryClient = useQueryClient();
  // The id of the first event to follow. Later answers don't change it.
  const [since] = useState(useFirstEventId());
  const [isLive, setLive] = useState(true);
  const [turn, setTurn] = useState(0);
  useEffect(
    () =>
      follow(
        {
          onChange: (resources, editedNow) => {
            if (resources.size > 0) void refreshQueries(queryClient, resources);
            for (const id of editedNow) {
              void queryClient.invalidateQueries({ queryKey: queryKeyOf("presence", "list", { params: { id } }) });
            }
          },
          onReset: () => void refreshQueries(queryClient),
          onLive: setLive,
          onEnded: () => void queryClient.invalidateQueries({ queryKey: queryKeyOf("auth", "check") }),
        },
        since,
      ),
    // A new `turn` reconnects. The server then sends the events since `since` again, or a reset.
    [queryClient, follow, since, turn],
  );
  return [isLive, () => setTurn(turn + 1)];
}

/** Hosts the assistant in the shell. The panel's code loads when it first opens. */
function AssistantHost() {
  const may = useMay();
  return may("sop.create") ? <AssistantPanel /> : null;
}

function AssistantPanel() {
  const { isOpen, close, toggle } = useAssistantPanel();
  const [wasOpened, setOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setOpened(true);
  useCommand("assistant", toggle);
  useEffect(() => {
    // On a phone the open panel would cover the screen that the user has just opened.
    if (window.innerWidth < 640) close();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- on arrival alone
  }, []);
  const closeUnopened = () => {
    setOpened(false);
    close();
  };
  return wasOpened && <Assistant onClose={closeUnopened} />;
}
