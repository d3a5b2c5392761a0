/** Mail servers that misbehave. */
import net from 'node:net';
import { closeMail } from '../../activities/mail.js';
import { config } from '../../config.js';

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

/** Runs the work while mails go to another server. @param converse receives each connection */
export async function withServer(converse: (socket: net.Socket) => void, work: () => Promise<void>): Promise<void> {
  const server = net.createServer((socket) => converse(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { SMTP_URL } = config;
  closeMail();
  Object.assign(config, { SMTP_URL: `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}` });
  try {
    await work();
  } finally {
    closeMail();
    Object.assign(config, { SMTP_URL });
    server.close();
  }
}
