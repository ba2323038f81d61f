import { lazy, useEffect, useState, type ComponentType, type LazyExoticComponent } from "react";
import { useToast } from "./Toast.tsx";

interface Closable {
  onClose(): void;
}

/**
 * A part of a screen that loads when it is opened. Where that fails, as without a connection, it says so, closes, and takes
 * nothing else with it; opened once more, it is fetched once more: React alone would remember the failure.
 */
export function lazyPart<P extends Closable>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  type Loaded = LazyExoticComponent<ComponentType<P>>;
  const next = (): Loaded => lazy(async () => ({ default: await load().catch(() => Failed) }));
  let latest = next();
  function Failed({ onClose }: P) {
    const close = () => {
      latest = next();
      onClose();
    };
    return <Missing onClose={close} />;
  }
  return function Part(props: P) {
    const [Shown] = useState(() => latest as ComponentType<P>);
    return <Shown {...props} />;
  };
}

function Missing({ onClose }: Closable) {
  const toast = useToast();
  useEffect(() => {
    toast({ title: "This part could not be loaded", description: "Please try again.", variant: "destructive" });
    onClose();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it turns out
  }, []);
  return null;
}
