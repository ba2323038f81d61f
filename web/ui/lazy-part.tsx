import { lazy, useEffect, useState, type ComponentType, type ReactNode } from "react";
import type { Preloads } from "./lazy-view.ts";
import { useToast } from "./Toast.tsx";

interface Closable {
  onClose(): void;
}

type Part<P> = (props: P & Closable) => ReactNode;

/**
 * A part of a screen that loads when it is opened. Where that fails, as without a connection, it says so, closes, and takes
 * nothing else with it; opened once more, it is fetched once more: React alone would remember the failure. What was loaded
 * ahead is there at once (`lazy-view.ts`).
 */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): Part<P> & Preloads {
  let here: Part<P> | undefined;
  const get = async () => (here = (await load()) as Part<P>);
  const next = () => lazy(async () => ({ default: await get().catch(() => Failed as Part<P>) }));
  let latest = next();
  function Failed({ onClose }: Closable) {
    const close = () => {
      latest = next();
      onClose();
    };
    return <Missing onClose={close} />;
  }
  function LoadedPart(props: P & Closable) {
    const [Shown] = useState(() => here ?? (latest as Part<P>));
    return <Shown {...props} />;
  }
  return Object.assign(LoadedPart, {
    preload: () =>
      get().then(
        () => undefined,
        () => undefined,
      ),
  });
}

function Missing({ onClose }: Closable) {
  const toast = useToast();
  useEffect(() => {
    toast({
      title: "This part could not be loaded",
      description: "Try again, or reload the page: there may be a newer version.",
      variant: "destructive",
      action: { label: "Reload", onClick: () => window.location.reload() },
    });
    onClose();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it turns out
  }, []);
  return null;
}
