import { Link } from "react-router-dom";
import { Button } from "../ui/Button.tsx";
import { PublicPage } from "./PublicPage.tsx";
import { texts } from "./texts.ts";

export function NotFoundPage() {
  return (
    <PublicPage title={texts.notFoundTitle} subtitle={texts.notFoundText}>
      <Button asChild variant="primary" wide>
        <Link to="/">{texts.backToDashboard}</Link>
      </Button>
    </PublicPage>
  );
}
