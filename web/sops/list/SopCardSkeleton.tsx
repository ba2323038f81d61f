import { Skeleton } from "../../ui/Skeleton.tsx";

/** A placeholder as tall as a card, so that nothing moves when the SOPs arrive. */
export function SopCardSkeleton() {
  return (
    <div data-testid="sop-skeleton" className="flex h-60 flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <Skeleton className="h-5 w-24" />
      <Skeleton className="h-5 w-4/5" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="mt-auto h-4 w-1/2" />
      <Skeleton className="h-6 w-full" />
    </div>
  );
}
