import { schemaGroup } from "../contract/schema.ts";
import { ApiKeyTest, ApiKeyTested, UserSettings, UserSettingsUpdate } from "./schema.ts";

export const settingsSchemas = schemaGroup({
  get: { summary: "Get your settings, with a masked AI key", output: UserSettings },
  update: {
    summary: "Update your settings: an empty AI key removes the stored one, a masked one keeps it",
    body: UserSettingsUpdate,
    output: UserSettings,
  },
  testApiKey: { summary: "Test an AI key with the provider", body: ApiKeyTest, output: ApiKeyTested },
});
