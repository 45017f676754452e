/** Which sockets have an answer under way: at the end only these are waited for. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface OpenSockets {
  /** For each request, before it is answered. */
  readonly answering: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  /** True in the middle of an answer whose head has been sent. */
  readonly hasBegunAnswer: (socket: Socket) => boolean;
  /** Closes the others now, and these as soon as they are done. */
  readonly closeWhenDone: () => void;
  /** Closes all; the answer: how many were in the middle. */
  readonly cut: () => number;
}

/**
 * node's own closeIdleConnections leaves a socket open on which nothing was asked yet, and browsers open such ones ahead of need:
 * one of them held the end of the server back for the whole time that it waits.
 */
export function watchSockets(server: Server): OpenSockets {
  const answers = new Map<Socket, ServerResponse | undefined>();
  let closing = false;
  const isBusy = (answer: ServerResponse | undefined): boolean => answer !== undefined && !answer.closed;

  server.on("connection", (socket: Socket) => {
    answers.set(socket, undefined);
    socket.once("close", () => answers.delete(socket));
  });

  return {
    answering: (incoming, outgoing) => {
      const { socket } = incoming;
      answers.set(socket, outgoing);
      outgoing.once("close", () => {
        if (closing && answers.get(socket) === outgoing) socket.destroySoon();
      });
    },
    hasBegunAnswer: (socket) => {
      const answer = answers.get(socket);
      return isBusy(answer) && answer?.headersSent === true;
    },
    closeWhenDone: () => {
      closing = true;
      for (const [socket, answer] of answers) if (!isBusy(answer)) socket.destroySoon();
    },
    cut: () => {
      const busy = [...answers.values()].filter(isBusy).length;
      for (const socket of answers.keys()) socket.destroy();
      return busy;
    },
  };
}
