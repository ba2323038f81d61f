import type { ReactNode } from "react";
import { Button } from "../ui/Button.tsx";
import { useHeadingFocus } from "./PageHeading.tsx";

interface MessagePageProps {
  icon: ReactNode;
  title: string;
  text: string;
  /** A link to continue. */
  children: ReactNode;
}

/** Shown instead of a screen that can't be shown: the reason and a link to continue. */
export function MessagePage({ icon, title, text, children }: MessagePageProps) {
  const heading = useHeadingFocus(title);
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 py-20 text-center">
      <span aria-hidden className="text-muted [&_svg]:size-10 [&_svg]:stroke-[1.5]">
        {icon}
      </span>
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
        {title}
      </h1>
      <p className="text-muted">{text}</p>
      <Button asChild className="mt-4">
        {children}
      </Button>
    </div>
  );
}
