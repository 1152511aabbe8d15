import type { TodoView } from "@intents/console/todo.tsx";
import { boundsFor, findTasks } from "../tasks.ts";
import type { Means } from "./means.ts";

const SHOWN_MAX = 200;

/** Reads `operator todo` of one tenant, or of all and the service. */
export async function readTodo({ session }: Means, tenantId: string, isEverywhere: boolean): Promise<TodoView> {
  const whose = isEverywhere ? undefined : tenantId;
  return { ...(await findTasks(session, whose, Date.now(), boundsFor(SHOWN_MAX))), isEverywhere };
}
