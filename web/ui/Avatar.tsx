import { clsx } from "clsx";

/** Initials in a circle; the name stands beside it, so assistive technology skips it. */
export function Avatar({ initials, size = "md" }: { initials: string; size?: "sm" | "md" }) {
  return (
    <span
      aria-hidden
      className={clsx(
        "inline-grid shrink-0 place-items-center rounded-full bg-primary-soft font-semibold text-primary",
        size === "sm" ? "size-6 text-[0.625rem]" : "size-9 text-xs",
      )}
    >
      {initials}
    </span>
  );
}
