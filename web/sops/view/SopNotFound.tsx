import { FileQuestionMark } from "lucide-react";
import { Link } from "react-router-dom";
import { DeadEnd } from "../../shell/DeadEnd.tsx";
import { texts } from "./view-texts.ts";

export function SopNotFound() {
  return (
    <DeadEnd icon={<FileQuestionMark />} title={texts.notFoundTitle} text={texts.notFound}>
      <Link to="/sops">{texts.back}</Link>
    </DeadEnd>
  );
}
