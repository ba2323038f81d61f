import { lazy, Suspense, useEffect, useState, type FunctionComponent, type ReactNode } from "react";
import { catalog } from "#core/language/catalog.ts";
import { Alert } from "./Alert.tsx";
import { loadedPart } from "./loaded-part.ts";
import { Button } from "./Button.tsx";
import { useToast } from "./Toast.tsx";

const texts = catalog("ui.lazy-part", {
  title: "Couldn't load this part",
  text: "Try again, or reload the page to update it.",
  again: "Try Again",
  reload: "Reload",
});

interface FailedLoadProps {
  /** Requests the code again. */
  again(): void;
  /** Closes the dialog; absent for parts that are no dialogs. */
  onClose?(): void;
}

/**
 * Creates a part of a screen whose code loads when the part is first shown: `const Comments = lazyPart(() =>
 * import("./Comments.tsx").then((module) => module.Comments))`. If the code can't be loaded, the rest of the screen
 * stays. A part then shows an error in its place and offers to try again. A dialog, which has `onClose`, shows a toast
 * and closes; when it opens again, it requests its code again.
 * @param fallback keeps the room until the code has loaded
 * @returns the part; its `preload` loads the code ahead, and a failure then shows where the part is rendered
 */
export function lazyPart<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  fallback: (props: P) => ReactNode = () => null,
) {
  let loaded: FunctionComponent<P> | undefined;
  const loadOnce = async () => (loaded ??= await load());
  // React keeps the failure of a lazy component forever, so each attempt needs a new component.
  const createLazy = () =>
    lazy<FunctionComponent<P & FailedLoadProps>>(() =>
      loaded
        ? loadedPart(loaded)
        : loadOnce().then(
            (part) => ({ default: part }),
            () => ({ default: LoadFailure }),
          ),
    ) as unknown as FunctionComponent<P & FailedLoadProps>;
  let current = { Part: createLazy() };
  function LazyPart(props: P & Pick<FailedLoadProps, "onClose">) {
    // A mounted part keeps its component, because another component in its place would lose typed text.
    const [{ Part }, show] = useState(() => current);
    const retryLoading = () => show((current = { Part: createLazy() }));
    return (
      <Suspense fallback={fallback(props)}>
        <Part {...props} again={retryLoading} />
      </Suspense>
    );
  }
  return Object.assign(LazyPart, { preload: () => loadOnce().then(doNothing, doNothing) });
}

const doNothing = () => undefined;

function LoadFailure({ again, onClose }: FailedLoadProps) {
  return onClose ? <FailedDialogToast again={again} onClose={onClose} /> : <FailedPartAlert again={again} />;
}

function FailedDialogToast({ again, onClose }: Required<FailedLoadProps>) {
  const toast = useToast();
  useEffect(() => {
    toast({
      title: texts.title,
      description: texts.text,
      variant: "destructive",
      action: { label: texts.reload, onClick: () => window.location.reload() },
    });
    again();
    onClose();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per failed load
  }, []);
  return null;
}

/**
 * The functions that retry the parts that couldn't be loaded. A lost connection can affect several parts, so one click
 * retries them all.
 */
const missing = new Set<() => void>();

function FailedPartAlert({ again }: Pick<FailedLoadProps, "again">) {
  useEffect(() => {
    missing.add(again);
    return () => void missing.delete(again);
  }, [again]);
  return (
    <div data-print="hide">
      <Alert
        tone="destructive"
        live
        title={texts.title}
        actions={
          <>
            <Button size="sm" onClick={() => missing.forEach((one) => one())}>
              {texts.again}
            </Button>
            <Button size="sm" onClick={() => window.location.reload()}>
              {texts.reload}
            </Button>
          </>
        }
      >
        {texts.text}
      </Alert>
    </div>
  );
}
