import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import { Slot } from "radix-ui/slot";
import type { ComponentProps } from "react";
import { Spinner } from "./Spinner.tsx";

export const buttonStyle = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "border-transparent bg-primary text-on-primary not-disabled:hover:bg-primary/90",
        outline: "border-line bg-surface text-text not-disabled:hover:bg-sunken",
        ghost: "border-transparent bg-transparent text-text not-disabled:hover:bg-sunken",
        soft: "border-transparent bg-transparent font-normal text-muted not-disabled:hover:bg-sunken not-disabled:hover:text-text",
        destructive: "border-transparent bg-destructive text-on-destructive not-disabled:hover:bg-destructive/90",
        link: "border-transparent bg-transparent text-primary underline-offset-4 not-disabled:hover:underline",
      },
      size: {
        sm: "h-7 px-2 text-t2 max-sm:h-9",
        md: "h-control px-3 text-sm",
        lg: "h-11 px-5 text-sm",
        icon: "size-control pointer-coarse:min-w-11",
        "icon-sm": "size-7 max-sm:size-9 pointer-coarse:min-w-11",
      },
      wide: { true: "w-full", false: "" },
    },
    defaultVariants: { variant: "outline", size: "md", wide: false },
  },
);

export type ButtonStyle = VariantProps<typeof buttonStyle>;

export interface ButtonProps extends ComponentProps<"button">, ButtonStyle {
  /** True to give the button's style to its only child, such as a link. */
  asChild?: boolean;
  /** True to show a spinner and ignore clicks. The focus stays on the button. */
  busy?: boolean;
}

export function Button({
  variant,
  size,
  wide,
  asChild = false,
  busy = false,
  className,
  children,
  ...props
}: ButtonProps) {
  const style = clsx(buttonStyle({ variant, size, wide }), className);
  if (asChild) {
    return (
      <Slot className={style} {...props}>
        {children}
      </Slot>
    );
  }
  return (
    <button type="button" {...props} {...(busy && busyProps)} className={style}>
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/**
 * The props of a busy button. It has `aria-disabled` and not `disabled`, because a disabled button would lose the
 * focus.
 */
const busyProps = {
  "aria-disabled": true,
  "aria-busy": true,
  onClick: (event: { preventDefault(): void }) => event.preventDefault(),
};
