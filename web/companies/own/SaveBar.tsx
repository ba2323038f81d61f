import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { AlertDialog } from "../../ui/AlertDialog.tsx";
import { BottomBar } from "../../ui/BottomBar.tsx";
import { Button } from "../../ui/Button.tsx";
import { saveTexts as texts } from "./texts.ts";

interface SaveBarProps {
  /** How many fields differ from what is saved. */
  changes: number;
  busy: boolean;
  onCancel(): void;
}

/** Appears with the first change, inside its form. Links that leave the page ask first. */
export function SaveBar({ changes, busy, onCancel }: SaveBarProps) {
  const [target, setTarget] = useState<string | null>(null);
  const navigate = useNavigate();
  const isDirty = changes > 0;
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!link || !isPlain || link.target !== "" || link.hasAttribute("download")) return;
      const { origin, pathname, search, hash } = new URL(link.href);
      if (origin !== window.location.origin || pathname === window.location.pathname) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(`${pathname}${search}${hash}`);
    };
    window.addEventListener("beforeunload", ask);
    document.addEventListener("click", follow, true);
    return () => {
      window.removeEventListener("beforeunload", ask);
      document.removeEventListener("click", follow, true);
    };
  }, [isDirty]);
  if (!isDirty) return null;
  return (
    <>
      <BottomBar className="-mx-4 -mb-16 sm:-mx-6">
        <p className="mr-auto text-sm text-muted" aria-live="polite">
          {texts.changes(changes)}
        </p>
        <Button onClick={onCancel}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {texts.save}
        </Button>
      </BottomBar>
      <AlertDialog
        open={target !== null}
        onOpenChange={(open) => !open && setTarget(null)}
        title={texts.leaveAsk}
        description={texts.leaveText}
        confirm={texts.leave}
        cancel={texts.stay}
        destructive
        onConfirm={() => {
          onCancel();
          void navigate(target ?? "");
        }}
      />
    </>
  );
}

/** How many values a form's `dirtyFields` name. */
export function countChanges(dirty: unknown): number {
  if (dirty === true) return 1;
  if (typeof dirty !== "object" || dirty === null) return 0;
  return Object.values(dirty).reduce((sum: number, one) => sum + countChanges(one), 0);
}
