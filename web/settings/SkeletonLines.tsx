import { Skeleton } from "../ui/Skeleton.tsx";

/** Placeholders for the lines of a list while they load. */
export function SkeletonLines({ count, label }: { count: number; label: string }) {
  return (
    <output className="grid gap-3">
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, line) => (
        <Skeleton key={line} className="h-10" />
      ))}
    </output>
  );
}
