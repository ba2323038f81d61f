import { clsx } from "clsx";

const dots: Record<string, string> = {
  primary: "bg-dot-primary",
  secondary: "bg-dot-secondary",
  accent: "bg-dot-accent",
  warning: "bg-dot-warning",
};

/** A colored dot beside a category's name. An unknown color is shown as primary. */
export function CategoryDot({ color }: { color: string | undefined }) {
  return (
    <span
      aria-hidden
      className={clsx(
        "inline-block size-2 shrink-0 self-center rounded-full",
        dots[color ?? "primary"] ?? dots["primary"],
      )}
    />
  );
}
