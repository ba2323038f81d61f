import { ShieldX } from "lucide-react";
import { Link } from "react-router-dom";
import { Button } from "../ui/Button.tsx";
import { useHeadingFocus } from "./PageHeading.tsx";
import { texts } from "./texts.ts";

/** In place of a screen that is not for this user; `text` says what may not be done (seed §2). */
export function AccessDenied({ text }: { text: string }) {
  const heading = useHeadingFocus(texts.deniedTitle);
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 py-20 text-center">
      <ShieldX aria-hidden className="size-10 stroke-[1.5] text-muted" />
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold tracking-tight">
        {texts.deniedTitle}
      </h1>
      <p className="text-muted">{text}</p>
      <Button asChild className="mt-4">
        <Link to="/">{texts.backToDashboard}</Link>
      </Button>
    </div>
  );
}
