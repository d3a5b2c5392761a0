/**
 * A stand-in of clamd that detects only the EICAR test string. It implements PING, VERSION and INSTREAM, and an
 * additional command, `zFAULT <fault>\0`, which injects a fault.
 */
import net from 'node:net';
import type { AddressInfo } from 'node:net';

export const SCAN_FAULTS = ['none', 'down', 'silent', 'error'] as const;
/** The faults. down: connections are closed. silent: there is no answer. error: the answer contains no scan result. */
export type ScanFault = (typeof SCAN_FAULTS)[number];

/** The test string is written in two parts, so that malware scanners do not report this source file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const SIGNATURE = 'Eicar-Test-Signature';
/** clamd's default. */
const STREAM_MAX_LENGTH = 25 * 1024 * 1024;
const MAX_COMMAND_LENGTH = 100;

export interface ScanStandin {
  port: number;
  state: {
    fault: ScanFault;
    /** Number of complete files that were scanned. */
    scannedFiles: number;
  };
  close(): Promise<void>;
}

/**
 * Starts the scanner.
 * @param port 0 chooses a free one
 */
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
    state: { fault: 'none', scannedFiles: 0 },
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

/**
 * Serves one command and then closes the connection. This suffices, because clients open no session; their commands
 * begin with `z` and end with a zero byte.
 */
function serve(socket: net.Socket, state: ScanStandin['state'], log: (line: string) => void): void {
  let received: Buffer = Buffer.alloc(0);
  let stream: Stream | null = null;
  const sendAnswer = (answer: string) => {
    log(answer);
    socket.end(`${answer}\0`);
  };
  const finish = () => {
    state.scannedFiles += 1;
    if (state.fault === 'silent') return;
    sendAnswer(state.fault === 'error' ? "stream: Can't allocate memory ERROR" : (stream as Stream).answer());
  };
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (!stream) {
      const end = received.indexOf(0);
      if (end < 0) return void (received.length > MAX_COMMAND_LENGTH && socket.destroy());
      const command = received.toString('latin1', 0, end);
      received = received.subarray(end + 1);
      const fault = SCAN_FAULTS.find((one) => command === `zFAULT ${one}`);
      if (fault) {
        state.fault = fault;
        return sendAnswer(fault);
      }
      if (state.fault === 'down') return void socket.destroy();
      if (command === 'zPING') return sendAnswer('PONG');
      if (command === 'zVERSION') return sendAnswer('ClamAV 0.0.0/development');
      if (command !== 'zINSTREAM') return sendAnswer('UNKNOWN COMMAND');
      stream = new Stream();
    }
    received = stream.take(received);
    if (stream.isTooLong) sendAnswer('INSTREAM size limit exceeded. ERROR');
    else if (stream.isOver) finish();
  });
}

/** The chunks of a file, each preceded by its length; an empty chunk ends the stream. */
class Stream {
  isOver = false;
  private bytes: Buffer[] = [];
  private size = 0;

  /**
   * Takes all complete chunks from the received bytes.
   * @returns the remaining bytes of an incomplete chunk
   */
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

  /**
   * Returns the result of the scan. The test string is found at any position, such as inside an uncompressed archive.
   */
  answer(): string {
    return Buffer.concat(this.bytes).includes(EICAR) ? `stream: ${SIGNATURE} FOUND` : 'stream: OK';
  }
}
