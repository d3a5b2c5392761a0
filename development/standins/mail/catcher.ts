/** A mail server for development and tests: accepts every mail, delivers none, and shows them on a page. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { bounce } from './bounces.js';
import { mailboxPages } from './catcherPages.js';
import { type CaughtMail, CaughtMails } from './caughtMails.js';

export interface CatcherSettings {
  /** 0 chooses a free port. */
  smtpPort: number;
  httpPort: number;
  /** File for mails, so that they survive a restart; absent to keep them in memory only. */
  file?: string;
  /** Port that accepts delivery reports; absent when none are sent. */
  bouncesPort?: number;
}

export interface Catcher {
  smtpUrl: string;
  /** Address of the mailbox: a page for people, and `/messages` for tools. */
  url: string;
  mails: CaughtMails;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MAXIMUM_BYTES = 26_214_400;

/**
 * Starts catching mails. Recipients like `reject-550@…` or `reject-451@…` are refused with that reply code. Mails to
 * `bounce-5.1.1@…` are accepted and then reported as undeliverable with that status.
 */
export async function startCatcher({ smtpPort, httpPort, file, bouncesPort }: CatcherSettings): Promise<Catcher> {
  const mails = new CaughtMails(file);
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // When the server stops, wait at most this long for clients that keep their connections open. The library's default
    // is 30 s.
    closeTimeout: 500,
    allowInsecureAuth: true,
    size: MAXIMUM_BYTES,
    disableReverseLookup: true,
    logger: false,
    onAuth: (_credentials, _session, done) => done(null, { user: 'anybody' }),
    onRcptTo: ({ address }, _session, done) => done(refusal(address)),
    onData: (stream, session, done) => void answerTo(storeMail(mails, stream, session, bouncesPort), done),
  });
  // Ignore connections that a client breaks. Without a listener such an error would end the process.
  smtp.on('error', () => undefined);
  // Keep idle connections open longer than clients do. The client then closes first, and never sends a request on a
  // closed connection.
  const web = http.createServer({ keepAliveTimeout: 75_000 }, mailboxPages(mails));
  const port = await listening(smtp.listen(smtpPort, HOST));
  const webPort = await listening(web.listen(httpPort, HOST));
  return {
    smtpUrl: `smtp://${HOST}:${port}`,
    url: `http://${HOST}:${webPort}`,
    mails,
    close: async () => {
      web.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => web.close(() => resolve())),
        new Promise<void>((resolve) => smtp.close(() => resolve())),
      ]);
    },
  };
}

function listening(server: net.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => resolve((server.address() as net.AddressInfo).port));
  });
}

function refusal(address: string): Error | null {
  const code = /^reject-([45]\d\d)@/i.exec(address)?.[1];
  return code
    ? Object.assign(new Error('Refused, as requested by the address.'), { responseCode: Number(code) })
    : null;
}

async function answerTo(work: Promise<void>, done: (error: Error | null) => void): Promise<void> {
  done(await work.then(() => null).catch((error: Error) => error));
}

async function storeMail(
  mails: CaughtMails,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  bouncesPort: number | undefined,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw Object.assign(new Error('The message is too large.'), { responseCode: 552 });
  const mail = await read(Buffer.concat(chunks), session);
  mails.add(mail);
  void bounce(mail.to, mail.return_path, bouncesPort);
}

async function read(raw: Buffer, { envelope }: SMTPServerSession): Promise<CaughtMail> {
  const mail = await PostalMime.parse(raw);
  const headers: Record<string, string> = {};
  for (const { key, value } of mail.headers) headers[key] = headers[key] ? `${headers[key]}, ${value}` : value;
  return {
    id: randomUUID(),
    message_id: mail.messageId ?? '',
    from: mail.from?.address ?? '',
    return_path: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map(({ address }) => address),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers,
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? '',
      media_type: mimeType,
      content: Buffer.from(content as ArrayBuffer).toString('base64'),
    })),
    at: new Date().toISOString(),
  };
}
