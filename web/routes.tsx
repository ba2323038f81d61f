import { lazy, type FunctionComponent } from "react";
import { Route, Routes } from "react-router-dom";
import { loadedScreens, loadShell, protectedScreens, publicScreens } from "./screens.ts";
import { Guard } from "./shell/Guard.tsx";
import { NotFoundPage } from "./shell/NotFoundPage.tsx";
import { loadedPart } from "./ui/loaded-part.ts";

/** The key in `sessionStorage` of the time when a missing file made the page reload. */
const reloadedAtKey = "reloaded-for-chunk";

const Shell = lazyPage(loadShell);
const publicPages = publicScreens.map((screen) => ({ ...screen, Page: lazyPage(screen.load) }));
// Screens with two addresses share one component, so that it stays mounted when the address changes.
const pagesByLoad = new Map(protectedScreens.map(({ load }) => [load, lazyPage(load)]));
const protectedPages = protectedScreens.map((screen) => ({
  ...screen,
  Page: pagesByLoad.get(screen.load) ?? NotFoundPage,
}));

export function Screens() {
  return (
    <Routes>
      {publicPages.map(({ path, Page }) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
      <Route
        element={
          <Guard>
            <Shell />
          </Guard>
        }
      >
        {protectedPages.map(({ path, Page }) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
      </Route>
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}

/** Returns a component that loads its code when first shown. If a deploy removed the file, the page reloads once. */
function lazyPage(load: () => Promise<FunctionComponent>) {
  return lazy(() => {
    const page = loadedScreens.get(load);
    return page ? loadedPart(page) : load().then((fetched) => ({ default: fetched }), reloadOnce);
  });
}

/** Reloads the page. Throws the error if the page reloaded for the same cause within the last minute. */
function reloadOnce(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(reloadedAtKey) ?? 0);
  if (Date.now() - last < 60_000) throw error;
  sessionStorage.setItem(reloadedAtKey, String(Date.now()));
  window.location.reload();
  return new Promise(() => {});
}
