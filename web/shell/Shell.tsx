import { WifiOff } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { Outlet, useLocation, useNavigationType } from "react-router-dom";
import { AssistantPlace } from "../ai/AssistantPlace.tsx";
import { PalettePlace } from "../palette/PalettePlace.tsx";
import { Button } from "../ui/Button.tsx";
import { Sheet } from "../ui/Sheet.tsx";
import { PageSpinner } from "../ui/Spinner.tsx";
import { UiProvider } from "../ui/UiProvider.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { texts } from "./texts.ts";
import { TopBar } from "./TopBar.tsx";
import { useLiveRefresh } from "./use-live-refresh.ts";

/** The frame of every signed-in screen: sidebar, top bar, the screen itself. */
export function Shell() {
  const [navigationOpen, setNavigationOpen] = useState(false);
  const { pathname } = useLocation();
  const [isLive, reconnect] = useLiveRefresh();
  useScrollToTop(pathname);
  return (
    <UiProvider>
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-primary px-4 py-2 font-medium text-on-primary focus:translate-y-0"
      >
        {texts.skip}
      </a>
      <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] lg:grid-cols-[16rem_minmax(0,1fr)]">
        <aside aria-label={texts.sidebar} data-print="hide" className="hidden border-r border-line lg:block">
          <div className="sticky top-0 h-dvh">
            <Sidebar />
          </div>
        </aside>
        <Sheet open={navigationOpen} onOpenChange={setNavigationOpen} title={texts.navigation}>
          <Sidebar onNavigate={() => setNavigationOpen(false)} />
        </Sheet>
        <div className="flex min-w-0 flex-col">
          <TopBar onOpenNavigation={() => setNavigationOpen(true)} />
          {!isLive && <ConnectionLost onRetry={reconnect} />}
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-7xl flex-1 px-4 pt-6 pb-20 outline-none sm:px-6"
          >
            <ErrorBoundary resetKey={pathname}>
              <Suspense fallback={<PageSpinner />}>
                <Outlet />
              </Suspense>
            </ErrorBoundary>
          </main>
        </div>
      </div>
      <AssistantPlace />
      <PalettePlace />
    </UiProvider>
  );
}

function ConnectionLost({ onRetry }: { onRetry(): void }) {
  return (
    <div
      role="alert"
      data-print="hide"
      className="sticky top-14 z-20 flex items-center justify-center gap-2 bg-warning-soft px-4 py-2 text-center text-text"
    >
      <WifiOff aria-hidden className="size-4 shrink-0 text-warning" />
      {texts.connectionLost}
      <Button size="sm" onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}

/** A new screen starts at its top; Back and Forward are left to the browser's own memory. */
function useScrollToTop(pathname: string) {
  const type = useNavigationType();
  useEffect(() => {
    if (type !== "POP") window.scrollTo(0, 0);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a filter in the URL is not a new screen
  }, [pathname]);
}
