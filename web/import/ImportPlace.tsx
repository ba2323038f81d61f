import { FolderOpen } from "lucide-react";
import { clsx } from "clsx";
import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useDropArea } from "./dropped.ts";

const ImportDialog = lazyPart(() => import("./ImportDialog.tsx").then((module) => module.ImportDialog));

interface ImportPlaceProps {
  title?: string;
  text: string;
  /** The label of the button. */
  action: string;
  className?: string;
}

/**
 * An area that takes dropped files and folders, or opens the dialog to choose them. Nothing is stored before the user
 * confirms the plan.
 */
export function ImportPlace({ title, text, action, className }: ImportPlaceProps) {
  const [dropped, setDropped] = useState<readonly FileSystemEntry[] | null>(null);
  const { isOver, area } = useDropArea((entries) => {
    if (entries.length > 0) setDropped(entries);
  });
  return (
    <>
      <div
        {...area}
        className={clsx("flex flex-wrap items-center gap-3 text-sm", className, isOver && "bg-primary-soft")}
      >
        <FolderOpen aria-hidden className="size-5 shrink-0" />
        <p className="min-w-0 flex-1 basis-44">
          {title && <span className="block font-medium">{title}</span>}
          <span className={clsx(title && "text-t2 text-muted")}>{text}</span>
        </p>
        <Button onClick={() => setDropped([])}>{action}</Button>
      </div>
      {/* The dialog is outside the area, because React would pass files dropped on the dialog to the area. */}
      {dropped && <ImportDialog dropped={dropped} onClose={() => setDropped(null)} />}
    </>
  );
}
