import { clsx } from "clsx";
import { X } from "lucide-react";
import * as Radix from "radix-ui/toast";
import { createContext, use, useCallback, useState, type ReactNode } from "react";
import { Button } from "./Button.tsx";

export interface ToastContent {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
  /** One thing to do about it: 'Undo'. */
  action?: { label: string; onClick(): void };
}

type Show = (toast: ToastContent) => void;

const ToastContext = createContext<Show>(() => {
  throw new Error("useToast needs UiProvider above it");
});

/** `const toast = useToast(); toast({title: "SOP Created"})` */
export function useToast(): Show {
  return use(ToastContext);
}

interface Shown extends ToastContent {
  key: number;
  open: boolean;
}

/** One toast at a time, 5000 ms, a swipe of 50 px dismisses it (seed §9); a new one takes the place of the old. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const show = useCallback<Show>((toast) => {
    setShown((last) => ({ ...toast, key: (last?.key ?? 0) + 1, open: true }));
  }, []);
  const setOpen = (open: boolean) => setShown((last) => last && { ...last, open });
  return (
    <ToastContext value={show}>
      <Radix.Provider duration={5000} swipeThreshold={50} swipeDirection="right">
        {children}
        {shown && <OneToast key={shown.key} toast={shown} onOpenChange={setOpen} />}
        <Radix.Viewport className="fixed inset-x-0 top-0 z-60 flex max-h-dvh flex-col p-4 sm:top-auto sm:right-0 sm:bottom-0 sm:left-auto sm:w-full md:max-w-[420px]" />
      </Radix.Provider>
    </ToastContext>
  );
}

function OneToast({ toast, onOpenChange }: { toast: Shown; onOpenChange(open: boolean): void }) {
  const destructive = toast.variant === "destructive";
  return (
    <Radix.Root
      open={toast.open}
      onOpenChange={onOpenChange}
      type={destructive ? "foreground" : "background"}
      className={clsx(
        "flex animate-rise items-start gap-3 rounded-lg border p-4 shadow-float data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
        destructive ? "border-transparent bg-destructive text-on-destructive" : "border-line bg-surface",
      )}
    >
      <div className="min-w-0 flex-1">
        <Radix.Title className="text-sm font-semibold">{toast.title}</Radix.Title>
        {toast.description && (
          <Radix.Description className={clsx("mt-0.5 text-sm", !destructive && "text-muted")}>
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
      <Radix.Close aria-label="Close" className="grid size-6 shrink-0 place-items-center rounded-sm">
        <X aria-hidden className="size-4" />
      </Radix.Close>
    </Radix.Root>
  );
}
