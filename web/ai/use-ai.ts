/** Whether AI can be used now: the key works and both switches are on. The server checks the same. */
import { useRead } from "../api.ts";

/** Why not: no key, switched off by oneself or by the company, or it is not known. */
export type AiOff = "no-key" | "user" | "company" | "unknown";

/** What a user can change in the settings. */
export const isSetByUser = (off: AiOff | null): off is "no-key" | "user" => off === "no-key" || off === "user";

export interface AiState {
  isOn: boolean;
  /** null: on, or not known yet. */
  off: AiOff | null;
  retry(): void;
}

/** @param enabled false: nothing is asked yet, and AI is off until it is */
export function useAi(enabled = true): AiState {
  const { data, isError, refetch } = useRead("settings", "get", {}, { enabled });
  const retry = () => void refetch();
  if (!data) return { isOn: false, off: isError ? "unknown" : null, retry };
  const hasKey = data.hasGlobalApiKey || (data.hasApiKey && data.apiKeyProblem === null);
  const off = !data.companyAiEnabled ? "company" : !data.aiFeaturesEnabled ? "user" : hasKey ? null : "no-key";
  return { isOn: off === null, off, retry };
}
