import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

export const controlStyle =
  "w-full rounded-md border border-control bg-bg text-text transition-colors duration-150 hover:border-muted focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-destructive pointer-coarse:min-h-11 pointer-coarse:text-base";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return <input {...props} className={clsx(controlStyle, "h-control px-3", className)} />;
}

interface SearchInputProps extends Omit<ComponentProps<"input">, "type"> {
  icon: ReactNode;
  label: string;
  /** Content at the end of the field, such as a key. Hidden on narrow screens and touch devices. */
  hint?: ReactNode;
}

/** A search field with an icon. Its label is only for screen readers. */
export function SearchInput({ icon, label, hint, className, ...props }: SearchInputProps) {
  return (
    <div className={clsx("relative", className)}>
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-muted [&_svg]:size-4"
      >
        {icon}
      </span>
      <input
        type="search"
        aria-label={label}
        {...props}
        className={clsx(
          controlStyle,
          // The border is light until the field has content.
          "h-control bg-paper pl-9 text-ellipsis placeholder-shown:border-line hover:border-control focus:bg-bg focus:border-control not-placeholder-shown:bg-bg [&::-webkit-search-cancel-button]:ml-2",
          hint ? "pr-3 lg:pr-20" : "pr-3",
        )}
      />
      {hint && (
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-3 hidden place-items-center lg:grid pointer-coarse:hidden"
        >
          {hint}
        </span>
      )}
    </div>
  );
}
