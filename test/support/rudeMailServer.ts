/** Mail servers that misbehave. */
import type net from 'node:net';

/** Follows the protocol up to a command, and then misbehaves. */
export const until = (command: RegExp, then: (socket: net.Socket) => void) => (socket: net.Socket) => {
  socket.write('220 test\r\n');
  let receiving = false;
  socket.on('data', (data) => {
    for (const line of data.toString().split('\r\n').filter(Boolean)) {
      if (command.test(line)) {
        receiving = false;
        then(socket);
        continue;
      }
      if (receiving && line !== '.') continue;
      receiving = line === 'DATA';
      if (!socket.destroyed) socket.write(receiving ? '354 go on\r\n' : '250 fine\r\n');
    }
  });
};
