import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { controlStyle } from "./Input.tsx";

/** Grows with its text from `rows` lines on. */
export function Textarea({ className, rows = 3, style, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={rows}
      {...props}
      // a field sized by its content takes no account of `rows`
      style={{ minHeight: `calc(${rows}lh + 1rem + 2px)`, ...style }}
      className={clsx(controlStyle, "field-sizing-content px-3 py-2 leading-normal", className)}
    />
  );
}
