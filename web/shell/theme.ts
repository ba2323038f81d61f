/**
 * Applies the theme. The theme follows the system until the user chooses light or dark. `public/theme.js` applies it
 * before the first paint.
 */
import { useEffect, useSyncExternalStore } from "react";
import { useStored } from "../ui/use-stored.ts";

const darkSystem = () => window.matchMedia("(prefers-color-scheme: dark)");

function followSystem(listener: () => void) {
  const system = darkSystem();
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
  const [choice, choose] = useStored<Theme>("theme", themes, "system");
  const systemIsDark = useSyncExternalStore(followSystem, () => darkSystem().matches);
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
