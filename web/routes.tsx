import { Route, Routes } from "react-router-dom";
import { lazyPage } from "./lazy-page.ts";
import { loadShell, protectedScreens, publicScreens, screenAt } from "./screens.ts";
import { Guard } from "./shell/Guard.tsx";
import { NotFoundPage } from "./shell/NotFoundPage.tsx";

const Shell = lazyPage(loadShell);
const publicPages = publicScreens.map((screen) => ({ ...screen, Page: lazyPage(screen.load) }));
// two addresses of one screen are one component: it stays as the address changes
const byLoad = new Map(protectedScreens.map(({ load }) => [load, lazyPage(load)]));
const protectedPages = protectedScreens.map((screen) => ({ ...screen, Page: byLoad.get(screen.load) ?? NotFoundPage }));

/** Loads what an address needs; resolves when it is there, or can't be had. */
export async function preloadFor(pathname: string): Promise<void> {
  const open = screenAt(publicScreens, pathname);
  const screen = screenAt(protectedScreens, pathname);
  const pages = [
    publicPages.find(({ path }) => path === open?.path)?.Page,
    screen && Shell,
    screen && byLoad.get(screen.load),
  ];
  await Promise.all(pages.map((page) => page?.preload()));
}

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
