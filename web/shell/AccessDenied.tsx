import { ShieldX } from "lucide-react";
import { Link } from "react-router-dom";
import { MessagePage } from "./MessagePage.tsx";
import { texts } from "./texts.ts";

/** Shown instead of a screen that the user isn't allowed to open; `text` says why. */
export function AccessDenied({ text }: { text: string }) {
  return (
    <MessagePage icon={<ShieldX />} title={texts.deniedTitle} text={text}>
      <Link to="/">{texts.backToDashboard}</Link>
    </MessagePage>
  );
}
