/** A proxy to a server that can be cut or made silent, like a network. */
import net from 'node:net';

export interface Line {
  port: number;
  /** Number of requested connections. */
  asked(): number;
  /** Passes bytes on: the initial state. */
  pass(): void;
  /** Connections stay open and new ones are accepted, but no bytes arrive any more, in either direction. */
  swallow(): void;
  close(): Promise<void>;
}

/** Listens on a free port and passes everything on to `target`. */
export async function aLineTo(target: number): Promise<Line> {
  let silent = false;
  let asked = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((incoming) => {
    asked += 1;
    const outgoing = net.connect(target, '127.0.0.1');
    join(incoming, outgoing);
    join(outgoing, incoming);
  });
  const join = (from: net.Socket, to: net.Socket): void => {
    sockets.add(from);
    from.on('data', (bytes) => {
      if (!silent) to.write(bytes);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      // A connection that began in silence stays without an answer: the other side is not told that the client is gone.
      if (!silent) to.destroy();
    });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    asked: () => asked,
    pass: () => {
      silent = false;
      // Bytes of these connections were lost: they cannot continue.
      for (const socket of sockets) socket.destroy();
    },
    swallow: () => {
      silent = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
