/**
 * A mail server that receives reports about the platform's own mail. It accepts only the return paths of that mail as
 * recipients.
 */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { type FailedDelivery, readReport } from './readReport.js';

export interface ReceiverSettings {
  host: string;
  /** The port to listen on; 0: any free port. */
  port: number;
  /** The domain of return paths. */
  domain: string;
  /** Returns the id of the mail whose return path has this local part; null if it is not one of our return paths. */
  mailOf: (localPart: string) => string | null;
  /** Applies a report. If it fails, the reporting server is asked to send the report again. */
  onReport: (mailId: string, report: FailedDelivery) => Promise<void>;
}

export interface Receiver {
  port: number;
  close(): Promise<void>;
}

/** Size limit of a message. A report may contain the whole mail that failed. */
const MAX_BYTES = 2_097_152;

/**
 * Starts the server. It accepts connections from everywhere, but refuses all recipients except our return paths.
 * @throws Error if the port is in use
 */
export async function startReceiver({ host, port, domain, mailOf, onReport }: ReceiverSettings): Promise<Receiver> {
  const mailAt = (address: string): string | null => {
    const at = address.lastIndexOf('@');
    return address.slice(at + 1).toLowerCase() === domain ? mailOf(address.slice(0, at).toLowerCase()) : null;
  };
  const server = new SMTPServer({
    banner: 'Reports about undelivered mail only',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_BYTES,
    maxClients: 50,
    logger: false,
    closeTimeout: 2_000,
    onRcptTo: ({ address }, _session, done) => done(mailAt(address) ? null : reply(550, '5.1.1 No such return path.')),
    onData: (stream, { envelope }, done) => {
      const mails = new Set(envelope.rcptTo.flatMap(({ address }) => mailAt(address) ?? []));
      void answerTo(
        receive(stream, (report) => each(mails, (mail) => onReport(mail, report))),
        done,
      );
    },
  });
  // Ignores broken connections. Without a listener they would end the process.
  server.on('error', () => undefined);
  const listening = server.listen(port, host);
  await new Promise<void>((resolve, reject) => listening.once('listening', resolve).once('error', reject));
  return {
    port: (listening.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function answerTo(work: Promise<void>, done: (error: Error | null) => void): Promise<void> {
  done(await work.then(() => null).catch((error: Error) => error));
}

async function receive(stream: SMTPServerDataStream, apply: (report: FailedDelivery) => Promise<void>): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // A message that is too large is read to its end but not kept, because the refusal can be sent only then.
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  if (stream.sizeExceeded) throw reply(552, '5.3.4 The message is too large.');
  // Other messages, such as out-of-office replies, are accepted and dropped.
  const report = await readReport(Buffer.concat(chunks));
  if (report) await apply(report).catch(() => Promise.reject(reply(451, '4.3.0 Try again later.')));
}

async function each<T>(items: Iterable<T>, handle: (one: T) => Promise<void>): Promise<void> {
  for (const one of items) await handle(one);
}

const reply = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });
