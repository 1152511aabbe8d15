import type { Options } from "../service/client.ts";
import type { Operation, Stage } from "./stage.ts";

/** A request that needs nothing, or that of which `find` makes the path. */
export const request = (
  route: string,
  method: string,
  path: string | ((stage: Stage) => Promise<string>),
  toOptions: (stage: Stage) => Promise<Options> | Options = () => ({}),
): Operation => ({
  route,
  prepare: async (stage) => {
    const asked = typeof path === "string" ? path : await path(stage);
    const options = await toOptions(stage);
    return async () => {
      const { status, body } = await stage.client.call(method, asked, options);
      if (status >= 400) throw new Error(`${method} ${asked} answered ${status}: ${JSON.stringify(body)}`);
    };
  },
});
