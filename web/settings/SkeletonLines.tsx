import { Skeleton } from "../ui/Skeleton.tsx";

/** Holds the place of a list's lines while they load. */
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
