import { FileQuestionMark } from "lucide-react";
import { Link } from "react-router-dom";
import { MessagePage } from "../../shell/MessagePage.tsx";
import { texts } from "./view-texts.ts";

export function SopNotFound() {
  return (
    <MessagePage icon={<FileQuestionMark />} title={texts.notFoundTitle} text={texts.notFound}>
      <Link to="/sops">{texts.back}</Link>
    </MessagePage>
  );
}
