import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { AlertDialog } from "../ui/AlertDialog.tsx";
import { leaveTexts as texts } from "./texts.ts";

interface LeaveGuardProps {
  isDirty: boolean;
  /** Called when the user leaves and gives up the changes. */
  onLeave(): void;
}

/** Asks before a link leaves a page with unsaved changes. The browser also asks before it closes the tab. */
export function LeaveGuard({ isDirty, onLeave }: LeaveGuardProps) {
  const [target, setTarget] = useState<string | null>(null);
  const navigate = useNavigate();
  useEffect(() => {
    if (!isDirty) return;
    const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const askBeforeFollowing = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!link || !isPlain || link.target !== "" || link.hasAttribute("download")) return;
      const { origin, pathname, search, hash } = new URL(link.href);
      if (origin !== window.location.origin || pathname === window.location.pathname) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(`${pathname}${search}${hash}`);
    };
    window.addEventListener("beforeunload", askBeforeUnload);
    document.addEventListener("click", askBeforeFollowing, true);
    return () => {
      window.removeEventListener("beforeunload", askBeforeUnload);
      document.removeEventListener("click", askBeforeFollowing, true);
    };
  }, [isDirty]);
  if (!isDirty) return null;
  return (
    <AlertDialog
      open={target !== null}
      onOpenChange={(open) => !open && setTarget(null)}
      title={texts.ask}
      description={texts.text}
      confirm={texts.leave}
      cancel={texts.stay}
      destructive
      onConfirm={() => {
        onLeave();
        void navigate(target ?? "");
      }}
    />
  );
}
