import { ShieldX } from "lucide-react";
import { Link } from "react-router-dom";
import { MessagePage } from "./MessagePage.tsx";
import { texts } from "./texts.ts";

/** In place of a screen that is not for this user; `text` says why. */
export function AccessDenied({ text }: { text: string }) {
  return (
    <MessagePage icon={<ShieldX />} title={texts.deniedTitle} text={text}>
      <Link to="/">{texts.backToDashboard}</Link>
    </MessagePage>
  );
}
