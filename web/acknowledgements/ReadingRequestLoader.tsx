import { useRead } from "../api.ts";
import { RequestReadingDialog } from "./RequestReadingDialog.tsx";

interface ReadingRequestLoaderProps {
  sop: { id: string; title: string };
  /** A person to preselect in addition to the people already asked. Without a request this has no effect. */
  userId?: string;
  onClose(): void;
}

/** Loads the people who are asked to read an SOP, then shows the form to ask them. */
export function ReadingRequestLoader({ sop, userId, onClose }: ReadingRequestLoaderProps) {
  const { data } = useRead("acknowledgements", "get", { params: { id: sop.id }, query: { limit: 1 } });
  if (!data) return null;
  const ask = data.matrix?.ask ?? null;
  const withPerson = ask && userId !== undefined ? { ...ask, userIds: [...ask.userIds, userId] } : ask;
  return <RequestReadingDialog sop={sop} ask={withPerson} onClose={onClose} />;
}
