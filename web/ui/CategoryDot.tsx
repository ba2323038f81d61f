import { clsx } from "clsx";

const dots: Record<string, string> = {
  primary: "bg-primary",
  secondary: "bg-secondary",
  accent: "bg-accent",
  warning: "bg-warning",
};

/** Decoration beside a category's name; an unknown colour shows as primary. */
export function CategoryDot({ color }: { color: string | undefined }) {
  return (
    <span
      aria-hidden
      className={clsx("inline-block size-2.5 shrink-0 rounded-full", dots[color ?? "primary"] ?? dots["primary"])}
    />
  );
}
