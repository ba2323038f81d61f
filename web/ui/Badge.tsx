import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import type { ComponentProps } from "react";

const style = cva(
  "inline-flex max-w-full items-baseline gap-1.5 rounded-full px-2 py-0.5 text-t1 font-medium whitespace-nowrap [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:self-center",
  {
    variants: {
      tone: {
        neutral: "bg-neutral-soft text-neutral",
        primary: "bg-primary-soft text-primary",
        accent: "bg-accent-soft text-accent",
        warning: "bg-warning-soft text-warning",
        success: "bg-success-soft text-success",
        destructive: "bg-destructive-soft text-destructive",
        outline: "border border-line text-muted",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export type BadgeTone = NonNullable<VariantProps<typeof style>["tone"]>;

export function Badge({ tone, className, ...props }: ComponentProps<"span"> & VariantProps<typeof style>) {
  return <span {...props} className={clsx(style({ tone }), className)} />;
}
