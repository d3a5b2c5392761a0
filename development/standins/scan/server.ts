/**
 * A stand-in of clamd, which knows one harmful text: the EICAR test string. It speaks PING, VERSION and INSTREAM, and one word that
 * clamd has not, `zFAULT <fault>\0`, with which it is told to be out of order.
 */
import net from 'node:net';
import type { AddressInfo } from 'node:net';

export const SCAN_FAULTS = ['none', 'down', 'silent', 'error'] as const;
/** down: connections are closed. silent: no answer comes. error: an answer that says nothing of the file. */
export type ScanFault = (typeof SCAN_FAULTS)[number];

/** In two parts, so that no scanner takes this file for harmful. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const SIGNATURE = 'Eicar-Test-Signature';
/** As clamd has it where nobody has told it otherwise. */
const STREAM_MAX_LENGTH = 25 * 1024 * 1024;
const LONGEST_COMMAND = 100;

export interface ScanStandin {
  port: number;
  state: {
    fault: ScanFault;
    /** How many files it was asked about, whole. */
    asked: number;
  };
  close(): Promise<void>;
}

/** @param port 0: any that is free */
export async function startScanStandin({
  port,
  host = '127.0.0.1',
  log = () => undefined,
}: {
  port: number;
  host?: string;
  log?: (line: string) => void;
}): Promise<ScanStandin> {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    serve(socket, standin.state, log);
  });
  const standin: ScanStandin = {
    port: 0,
    state: { fault: 'none', asked: 0 },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  standin.port = (server.address() as AddressInfo).port;
  return standin;
}

/** One command a connection, as clients of `z` commands without a session send them. */
function serve(socket: net.Socket, state: ScanStandin['state'], log: (line: string) => void): void {
  let given: Buffer = Buffer.alloc(0);
  let stream: Stream | null = null;
  const say = (answer: string) => {
    log(answer);
    socket.end(`${answer}\0`);
  };
  const settle = () => {
    state.asked += 1;
    if (state.fault === 'silent') return;
    say(state.fault === 'error' ? "stream: Can't allocate memory ERROR" : (stream as Stream).answer());
  };
  socket.on('data', (chunk: Buffer) => {
    given = Buffer.concat([given, chunk]);
    if (!stream) {
      const end = given.indexOf(0);
      if (end < 0) return void (given.length > LONGEST_COMMAND && socket.destroy());
      const command = given.toString('latin1', 0, end);
      given = given.subarray(end + 1);
      const fault = SCAN_FAULTS.find((one) => command === `zFAULT ${one}`);
      if (fault) {
        state.fault = fault;
        return say(fault);
      }
      if (state.fault === 'down') return void socket.destroy();
      if (command === 'zPING') return say('PONG');
      if (command === 'zVERSION') return say('ClamAV 0.0.0/development');
      if (command !== 'zINSTREAM') return say('UNKNOWN COMMAND');
      stream = new Stream();
    }
    given = stream.take(given);
    if (stream.isTooLong) say('INSTREAM size limit exceeded. ERROR');
    else if (stream.isOver) settle();
  });
}

/** Chunks, each with its length before it; one of nothing is the last. */
class Stream {
  isOver = false;
  private bytes: Buffer[] = [];
  private size = 0;

  /** @returns what is not a whole chunk yet */
  take(given: Buffer): Buffer {
    let rest = given;
    while (!this.isOver && rest.length >= 4) {
      const length = rest.readUInt32BE(0);
      if (rest.length < 4 + length) break;
      this.bytes.push(rest.subarray(4, 4 + length));
      this.size += length;
      this.isOver = length === 0;
      rest = rest.subarray(4 + length);
    }
    return rest;
  }

  get isTooLong(): boolean {
    return this.size > STREAM_MAX_LENGTH;
  }

  /** Wherever it stands: in an archive of files that are not packed, say. */
  answer(): string {
    return Buffer.concat(this.bytes).includes(EICAR) ? `stream: ${SIGNATURE} FOUND` : 'stream: OK';
  }
}
