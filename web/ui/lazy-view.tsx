import { useEffect, type FunctionComponent } from "react";
import { Alert } from "./Alert.tsx";
import { Button } from "./Button.tsx";
import { lazyCode, type Missed } from "./lazy-code.ts";
import { missedTexts as texts } from "./missed-texts.ts";

/**
 * A part of a page that loads beside it: `lazyView(() => import("./Comments.tsx").then((module) => module.Comments))`.
 * Where that fails, its place says so and offers to try again; the page and what is typed there stay. The `Suspense` above it
 * says what keeps its place.
 * @param told "elsewhere" for what is of no use alone, or comes in one file with a part that says it
 */
export function lazyView<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  told: "here" | "elsewhere" = "here",
) {
  return lazyCode(load, () => (told === "here" ? Told : Missing));
}

/** One connection failed them all: they are tried again together. */
const missing = new Set<() => void>();

function Missing({ again }: Missed) {
  useEffect(() => {
    missing.add(again);
    return () => void missing.delete(again);
  }, [again]);
  return null;
}

function Told(props: Missed) {
  return (
    <div data-print="hide">
      <Missing {...props} />
      <Alert
        tone="destructive"
        live
        title={texts.title}
        actions={
          <>
            <Button size="sm" onClick={() => missing.forEach((again) => again())}>
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
