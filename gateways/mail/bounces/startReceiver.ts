/** A mail server that takes nothing but reports about mail of ours, at the return paths that it was sent with. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { type FailedDelivery, readReport } from './readReport.js';

export interface ReceiverSettings {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** The domain of return paths. */
  domain: string;
  /** What a local part stands for; null where it is none that we gave out. */
  mailOf: (localPart: string) => string | null;
  /** Applies a report. When it fails, the server that brought it comes again. */
  onReport: (mailId: string, report: FailedDelivery) => Promise<void>;
}

export interface Receiver {
  port: number;
  close(): Promise<void>;
}

/** A report holds the mail that it is about, perhaps whole. */
const LARGEST_BYTES = 2_097_152;

/** Listens. Anybody may connect: what is no return path of ours is refused by its recipient. @throws Error when the port is taken */
export async function startReceiver({ host, port, domain, mailOf, onReport }: ReceiverSettings): Promise<Receiver> {
  const mailAt = (address: string): string | null => {
    const at = address.lastIndexOf('@');
    return address.slice(at + 1).toLowerCase() === domain ? mailOf(address.slice(0, at).toLowerCase()) : null;
  };
  const server = new SMTPServer({
    banner: 'Reports about undelivered mail only',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: LARGEST_BYTES,
    maxClients: 50,
    logger: false,
    closeTimeout: 2_000,
    onRcptTo: ({ address }, _session, done) => done(mailAt(address) ? null : reply(550, '5.1.1 No such return path.')),
    onData: (stream, { envelope }, done) => {
      const mails = new Set(envelope.rcptTo.flatMap(({ address }) => mailAt(address) ?? []));
      void answerTo(
        take(stream, (report) => each(mails, (mail) => onReport(mail, report))),
        done,
      );
    },
  });
  // Connections that break off are the other side's matter; without a listener they would end the process.
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

async function take(stream: SMTPServerDataStream, apply: (report: FailedDelivery) => Promise<void>): Promise<void> {
  const chunks: Buffer[] = [];
  let kept = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    kept += chunk.length;
    // Read to its end all the same: only then it can be answered.
    if (kept <= LARGEST_BYTES) chunks.push(chunk);
  }
  if (stream.sizeExceeded) throw reply(552, '5.3.4 The message is too large.');
  // Whatever else comes here, such as answers of people who are away, is taken and dropped.
  const report = await readReport(Buffer.concat(chunks));
  if (report) await apply(report).catch(() => Promise.reject(reply(451, '4.3.0 Try again later.')));
}

async function each<T>(many: Iterable<T>, what: (one: T) => Promise<void>): Promise<void> {
  for (const one of many) await what(one);
}

const reply = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode });
