import { createContext, Suspense, use, useCallback, useState, type ReactNode } from "react";
import { lazyCode } from "./lazy-code.ts";

export interface ToastContent {
  title: string;
  description?: string;
  variant?: "default" | "destructive";
  /** One thing to do about it: 'Undo', where one request puts everything back. What it can't put back asks first. */
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

export interface ShownToast extends ToastContent {
  key: number;
  open: boolean;
}

export interface RegionProps {
  shown: ShownToast;
  onOpenChange(open: boolean): void;
}

const ToastRegion = lazyCode<RegionProps>(
  () => import("./ToastRegion.tsx").then((module) => module.ToastRegion),
  () => PlainToast,
);
export const preloadToasts = ToastRegion.preload;

/** What is said when even the toasts could not be loaded. */
function PlainToast({ shown: { title, description, open } }: RegionProps) {
  return (
    open && (
      <p role="alert" className="fixed inset-x-0 top-0 z-60 bg-text p-4 text-center text-bg">
        {title}. {description}
      </p>
    )
  );
}

/** One toast at a time: a new one takes the place of the old. The region loads with the first. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast | null>(null);
  const show = useCallback<Show>((toast) => {
    setShown((last) => ({ ...toast, key: (last?.key ?? 0) + 1, open: true }));
  }, []);
  const setOpen = (open: boolean) => setShown((last) => last && { ...last, open });
  return (
    <ToastContext value={show}>
      {children}
      {shown && (
        <Suspense fallback={null}>
          <ToastRegion shown={shown} onOpenChange={setOpen} />
        </Suspense>
      )}
    </ToastContext>
  );
}
