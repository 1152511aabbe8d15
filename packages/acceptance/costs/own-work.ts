import type { Message } from "@intents/storage/queue/queue.ts";
import type { Operation, Stage } from "./stage.ts";

/** The service's own work on a message, which `find` gives. */
export const ownWork = (find: (stage: Stage) => Promise<Message>): Operation => ({
  prepare: async (stage) => {
    const message = await find(stage);
    return () => stage.advance(message);
  },
});
