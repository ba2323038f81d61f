import { Link } from "react-router-dom";
import { texts } from "./texts.ts";

/** A link from a page about a password back to the sign-in. */
export function BackToLogin() {
  return (
    <Link to="/login" className="inline-flex min-h-6 items-center font-medium text-primary hover:underline">
      {texts.backToLogin}
    </Link>
  );
}
