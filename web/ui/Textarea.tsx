import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { controlStyle } from "./Input.tsx";

/** A text area of `rows` lines that grows with its text. */
export function Textarea({ className, rows = 3, style, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={rows}
      {...props}
      // `field-sizing` ignores `rows`, so the minimum height is set here.
      style={{ minHeight: `calc(${rows}lh + 1rem + 2px)`, ...style }}
      className={clsx(controlStyle, "field-sizing-content px-3 py-2 leading-normal", className)}
    />
  );
}
