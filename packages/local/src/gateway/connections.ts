import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as Listener, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Turns of the event loop without news, after which everything that arrived is read; a turn accepts one connection. */
const QUIET_TURNS = 4;
/** Under load something always arrives: so many turns are enough for all connections that the system lets wait. */
const TURNS_MAX = 2_000;

export type Connections = Readonly<{
  /** Counts a request as under way until its answer has been sent to the end. */
  add: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether the answer to a request is the last one on its connection, because the server stops. */
  isLast: (request: IncomingMessage) => boolean;
  /**
   * Takes no further connection, and resolves when all requests are answered that have arrived, be it in part; after
   * `msMax` they are cut off.
   */
  finish: (msMax: number) => Promise<void>;
}>;

/** Follows the connections of `server`, so that a stop cuts none on which a request has arrived. */
export function followConnections(server: Server): Connections {
  /** How many requests are under way on a connection, and how much of it had been read when the last one ended. */
  const open = new Map<Socket, { underWay: number; bytesRead: number }>();
  let accepted = 0;
  let isEnding = false;
  let isAllRead = false;

  server.on("connection", (socket: Socket) => {
    accepted += 1;
    open.set(socket, { underWay: 0, bytesRead: 0 });
    socket.once("close", () => open.delete(socket));
  });

  const readArrived = async (): Promise<void> => {
    let arrived = 0;
    for (let turn = 0, quiet = 0; quiet < QUIET_TURNS && turn < TURNS_MAX; turn += 1) {
      await nextTurn();
      const now = [...open.keys()].reduce((sum, { bytesRead }) => sum + bytesRead, accepted);
      quiet = now === arrived ? quiet + 1 : 0;
      arrived = now;
    }
  };

  const closeIdle = (): void => {
    for (const [socket, { underWay, bytesRead }] of open)
      if (underWay === 0 && socket.bytesRead === bytesRead) socket.destroy();
  };

  return {
    add: ({ socket }, response) => {
      const connection = open.get(socket);
      if (connection === undefined) return;
      connection.underWay += 1;
      response.once("close", () => {
        connection.underWay -= 1;
        connection.bytesRead = socket.bytesRead;
        if (isAllRead) closeIdle();
      });
    },
    isLast: ({ socket }) => isEnding && open.get(socket)?.underWay === 1,
    finish: async (msMax) => {
      isEnding = true;
      await readArrived();
      isAllRead = true;
      const closed = once(server, "close");
      // An HTTP server's own way to close ends connections whose answers are not sent to the end.
      Listener.prototype.close.call(server);
      closeIdle();
      const tooLong = setTimeout(() => server.closeAllConnections(), msMax);
      await closed;
      clearTimeout(tooLong);
    },
  };
}
