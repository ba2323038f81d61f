import { Link } from "react-router-dom";
import { PageHeading } from "../shell/PageHeading.tsx";
import { Button } from "../ui/Button.tsx";
import { texts } from "./view-texts.ts";

export function SopNotFound() {
  return (
    <div className="grid justify-items-start gap-5">
      <PageHeading title={texts.notFoundTitle} subtitle={texts.notFound} />
      <Button asChild>
        <Link to="/sops">{texts.back}</Link>
      </Button>
    </div>
  );
}
