/**
 * Reads whether AI can be used now: the key works, and user and company have it switched on. The server checks the
 * same.
 */
import { useRead } from "../api.ts";

/** Why AI is off: no key, switched off by the user or by the company, or the settings couldn't be read. */
export type AiOffReason = "no-key" | "user" | "company" | "unknown";

/** Says whether the user can turn AI on in the settings. */
export const canUserTurnOnAi = (off: AiOffReason | null): off is "no-key" | "user" =>
  off === "no-key" || off === "user";

export interface AiState {
  isOn: boolean;
  /** null if AI is on, or while the settings load. */
  off: AiOffReason | null;
  retry(): void;
}

/**
 * Reads whether AI is on, and if not, why.
 * @param enabled if false, the settings aren't read and AI counts as off
 */
export function useAi(enabled = true): AiState {
  const { data, isError, refetch } = useRead("settings", "get", {}, { enabled });
  const retry = () => void refetch();
  if (!data) return { isOn: false, off: isError ? "unknown" : null, retry };
  const hasKey = data.hasGlobalApiKey || (data.hasApiKey && data.apiKeyProblem === null);
  const off = !data.companyAiEnabled ? "company" : !data.aiFeaturesEnabled ? "user" : hasKey ? null : "no-key";
  return { isOn: off === null, off, retry };
}
