import { Suspense, useEffect, type FunctionComponent, type ReactNode } from "react";
import { lazyCode } from "./lazy-code.ts";
import { missedTexts as texts } from "./missed-texts.ts";
import { useToast } from "./Toast.tsx";

interface Opened {
  onClose(): void;
  /** Stands there until it is loaded. */
  waiting?: ReactNode;
}

/**
 * A window or a menu that loads when it is opened. Where that fails, as without a connection, it says so, closes, and takes
 * nothing else with it; opened once more, it is fetched once more. `<Part onClose={close} />` needs no `Suspense` above it.
 */
export function lazyPart<P extends object>(load: () => Promise<FunctionComponent<P>>) {
  const Part = lazyCode<P & Opened>(load, () => Closed);
  const OpenedPart = (props: P & Opened) => (
    <Suspense fallback={props.waiting}>
      <Part {...props} />
    </Suspense>
  );
  return Object.assign(OpenedPart, { preload: Part.preload });
}

function Closed({ onClose }: Opened) {
  const toast = useToast();
  useEffect(() => {
    toast({
      title: texts.title,
      description: texts.text,
      variant: "destructive",
      action: { label: texts.reload, onClick: () => window.location.reload() },
    });
    onClose();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it turns out
  }, []);
  return null;
}
