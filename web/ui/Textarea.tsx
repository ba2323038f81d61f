import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { controlStyle } from "./Input.tsx";

export function Textarea({ className, rows = 3, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={rows}
      {...props}
      className={clsx(controlStyle, "field-sizing-content px-3 py-2 leading-normal", className)}
    />
  );
}
