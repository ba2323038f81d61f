import { createContext, use, useCallback, useState, type ReactNode } from "react";
import { ToastRegion, type ShownToast, type ToastContent } from "./ToastRegion.tsx";

type ShowToast = (toast: ToastContent) => void;

const ToastContext = createContext<ShowToast>(() => {
  throw new Error("useToast needs UiProvider above it");
});

/** Returns a function that shows a toast, as in `const toast = useToast(); toast({title: "SOP Created"})`. */
export function useToast(): ShowToast {
  return use(ToastContext);
}

/** Shows one toast at a time. A new one replaces the old one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast | null>(null);
  const show = useCallback<ShowToast>((toast) => {
    setShown((last) => ({ ...toast, key: (last?.key ?? 0) + 1, open: true }));
  }, []);
  const setOpen = (open: boolean) => setShown((last) => last && { ...last, open });
  return (
    <ToastContext value={show}>
      {children}
      {shown && <ToastRegion shown={shown} onOpenChange={setOpen} />}
    </ToastContext>
  );
}
