/**
 * Applies the theme. The theme follows the system until the user chooses light or dark. `public/theme.js` applies it
 * before the first paint.
 */
import { useEffect, useSyncExternalStore } from "react";
import { useStoredChoice } from "../ui/use-stored.ts";

const darkSystemQuery = () => window.matchMedia("(prefers-color-scheme: dark)");

function subscribeToSystemTheme(listener: () => void) {
  const system = darkSystemQuery();
  system.addEventListener("change", listener);
  return () => system.removeEventListener("change", listener);
}

export const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

export interface ThemeControl {
  choice: Theme;
  choose(theme: Theme): void;
  isDark: boolean;
  toggle(): void;
}

export function useTheme(): ThemeControl {
  const [choice, choose] = useStoredChoice<Theme>("theme", themes, "system");
  const systemIsDark = useSyncExternalStore(subscribeToSystemTheme, () => darkSystemQuery().matches);
  const isDark = choice === "dark" || (choice === "system" && systemIsDark);
  useEffect(() => {
    document.documentElement.classList.toggle("dark", isDark);
  }, [isDark]);
  return {
    choice,
    choose,
    isDark,
    toggle: () => {
      const wanted = !isDark;
      if (wanted === systemIsDark) choose("system");
      else choose(wanted ? "dark" : "light");
    },
  };
}
