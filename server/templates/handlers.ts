import { AppError } from "#core/errors.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";

export function templateHandlers({ templates, render }: Services): Handlers<"templates"> {
  return {
    list: async () => [...templates.values()],
    async get({ params }) {
      const template = templates.get(params.id);
      if (!template) throw new AppError("not_found");
      return { ...template, content: await render.render(template.markdown) };
    },
  };
}
