import { clsx } from "clsx";
import { CircleCheck, Info, OctagonAlert, TriangleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";

type Tone = "info" | "success" | "warning" | "destructive";

const tones: Record<Tone, { style: string; icon: string; Icon: LucideIcon }> = {
  info: { style: "border-primary/35 bg-primary-soft", icon: "text-primary", Icon: Info },
  success: { style: "border-success/35 bg-success-soft", icon: "text-success", Icon: CircleCheck },
  warning: { style: "border-warning/35 bg-warning-soft", icon: "text-warning", Icon: TriangleAlert },
  destructive: { style: "border-destructive/35 bg-destructive-soft", icon: "text-destructive", Icon: OctagonAlert },
};

interface AlertProps {
  tone?: Tone;
  title?: ReactNode;
  /** True if the alert appeared because of a user's action, so that screen readers announce it at once. */
  live?: boolean;
  actions?: ReactNode;
  children?: ReactNode;
}

export function Alert({ tone = "info", title, live = false, actions, children }: AlertProps) {
  const { style, icon, Icon } = tones[tone];
  return (
    <div {...(live && { role: "alert" })} className={clsx("flex gap-3 rounded-md border px-3.5 py-3 text-sm", style)}>
      <Icon aria-hidden className={clsx("mt-0.5 size-4 shrink-0", icon)} />
      <div className="min-w-0 flex-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={clsx(title !== undefined && "mt-0.5")}>{children}</div>}
        {actions && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}

interface RetryAlertProps {
  text: string;
  /** The label of the button. */
  retry: string;
  onRetry(): void;
}

/** Says that a part of a screen couldn't be loaded. */
export function RetryAlert({ text, retry, onRetry }: RetryAlertProps) {
  const again = (
    <Button size="sm" onClick={onRetry}>
      {retry}
    </Button>
  );
  return (
    <Alert tone="destructive" live actions={again}>
      {text}
    </Alert>
  );
}
