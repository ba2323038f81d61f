import { clsx } from "clsx";
import { X } from "lucide-react";
import * as Radix from "radix-ui/toast";
import { Button } from "./Button.tsx";
import { useToastPosition } from "./toast-position.ts";
import { catalog } from "#core/language/catalog.ts";

const texts = catalog("ui.toast-region", {
  close: "Close",
});

export interface ToastContent {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
  /** How long the toast stays, in milliseconds (default: 5,000). */
  ms?: number;
  /**
   * A button in the toast, such as Undo. Undo is offered only if one request restores everything; other actions ask
   * before they run.
   */
  action?: { label: string; onClick(): void };
}

export interface ShownToast extends ToastContent {
  key: number;
  open: boolean;
}

interface RegionProps {
  shown: ShownToast;
  onOpenChange(open: boolean): void;
}

/**
 * The area for toasts. Each stays for 5000 ms by default, and a swipe of 50 px dismisses it (`docs/spec/screens.md`).
 */
export function ToastRegion({ shown, onOpenChange }: RegionProps) {
  const region = useToastPosition(shown);
  return (
    <Radix.Provider duration={5000} swipeThreshold={50} swipeDirection="right">
      <OneToast key={shown.key} toast={shown} onOpenChange={onOpenChange} />
      <Radix.Viewport
        ref={region}
        className={clsx(
          // On a small screen toasts are at the top, below the top bar, which stays usable.
          "fixed inset-x-0 top-14 z-60 flex max-h-dvh flex-col p-4 sm:top-auto sm:right-(--scrollbar) sm:bottom-0 sm:left-auto sm:w-full md:max-w-[420px] lg:in-[:has(>dialog)]:right-100",
          // Over a dialog, the toast leaves room for its Close button.
          "data-[place$=left]:right-22 data-[place$=left]:left-0 data-[place$=left]:w-auto md:data-[place$=left]:right-auto md:data-[place$=left]:w-full",
          "data-[place=bottom-left]:top-auto data-[place=bottom-left]:bottom-0 data-[place=top-left]:top-0 data-[place=top-left]:bottom-auto",
          "data-[place=over]:bottom-auto data-[place=over]:max-h-none sm:data-[place=over]:left-0",
        )}
      />
    </Radix.Provider>
  );
}

function OneToast({ toast, onOpenChange }: { toast: ShownToast; onOpenChange(open: boolean): void }) {
  const destructive = toast.variant === "destructive";
  return (
    <Radix.Root
      open={toast.open}
      onOpenChange={onOpenChange}
      {...(toast.ms !== undefined && { duration: toast.ms })}
      type={destructive ? "foreground" : "background"}
      className={clsx(
        "flex animate-rise items-start gap-3 rounded-lg border p-4 shadow-float data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
        destructive ? "border-transparent bg-destructive text-on-destructive" : "border-line bg-surface",
      )}
    >
      <div className="min-w-0 flex-1">
        <Radix.Title className="text-sm font-semibold">{toast.title}</Radix.Title>
        {toast.description && (
          <Radix.Description
            className={clsx("mt-0.5 text-sm whitespace-pre-line break-words", !destructive && "text-muted")}
          >
            {toast.description}
          </Radix.Description>
        )}
      </div>
      {toast.action && (
        <Radix.Action asChild altText={toast.action.label}>
          <Button size="sm" onClick={toast.action.onClick}>
            {toast.action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close aria-label={texts.close} className="grid size-6 shrink-0 place-items-center rounded-sm">
        <X aria-hidden className="size-4" />
      </Radix.Close>
    </Radix.Root>
  );
}
