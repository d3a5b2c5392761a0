/** Mail over SMTP, through a small pool of connections. */
import { type Readable, Transform } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { config } from '../../config.js';
import { type Mail, type MailPort, MailRefused, MailUnavailable } from './port.js';

export interface SmtpSettings {
  /** smtp://user:password@host:port or smtps://…; the query may set further options of nodemailer. */
  url: string;
  /** A server that is reached at an address of ours, not at the one that its name has now; then `url` says nothing. */
  server?: {
    host: string;
    port: number;
    secure: boolean;
    auth?: { user: string; pass: string };
    tls: { servername?: string };
  };
  from: string;
  /** Refuses to send in clear text; `?ignoreTLS=true` in the URL switches that off for a relay on the same host. */
  requireTls: boolean;
}

const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

/** What a server says about us or the connection is no verdict on the message. */
const ABOUT_THE_MESSAGE = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
const ADDRESS = /^[^\s@,;<>()"]+@[^\s@,;<>()"]+$/;

type Tracked = SendMailOptions & { onHandedOver: () => void };

interface SmtpError {
  code?: string;
  command?: string;
  responseCode?: number | false;
  response?: string;
}

/** The adapter for a mail server; without settings, the one of the environment. */
export function smtpMail(settings: Partial<SmtpSettings> = {}): MailPort {
  const { url = config.SMTP_URL, from = config.MAIL_FROM, requireTls = config.production, server } = settings;
  const transport = createTransport({
    ...(server ?? { url }),
    pool: true,
    maxConnections: 10,
    // A lost connection is our caller's decision: sending again by itself could deliver twice.
    maxRequeues: 0,
    requireTLS: requireTls && (server !== undefined || !/[?&]ignoreTLS=true/i.test(url)),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...LIMITS,
  });
  transport.use('stream', ({ data, message }, done) => {
    // The library does not tell how far it came: the message was handed over once it was read to its end.
    message?.processFunc((body: Readable) => body.pipe(inOnePiece()).once('end', (data as Tracked).onHandedOver));
    done();
  });
  return {
    async send(mail) {
      if (!ADDRESS.test(mail.to)) throw new MailRefused();
      let handedOver = false;
      const onHandedOver = () => {
        handedOver = true;
      };
      const tracked: Tracked = { ...message(mail, from), onHandedOver };
      try {
        await transport.sendMail(tracked);
        return 'sent';
      } catch (error) {
        throw failure(error as SmtpError, handedOver);
      }
    },
    close: () => transport.close(),
  };
}

/** What is written line by line goes out in one write: mails are small, and there are many. */
function inOnePiece(): Transform {
  const pieces: Buffer[] = [];
  return new Transform({
    transform(piece: Buffer, _encoding, taken) {
      pieces.push(piece);
      taken();
    },
    flush(done) {
      done(null, Buffer.concat(pieces));
    },
  });
}

function message(mail: Mail, platform: string) {
  const id = (bare: string) => messageIdFrom(bare, mail.from?.address ?? platform);
  const conversation = mail.conversation && id(mail.conversation);
  return {
    from: mail.from ?? platform,
    // As an object: a comma in the text would make two recipients of it.
    to: { name: '', address: mail.to },
    ...(mail.replyTo && { replyTo: { name: '', address: mail.replyTo } }),
    ...(mail.returnPath && { envelope: { from: mail.returnPath, to: mail.to } }),
    subject: mail.subject,
    // Said, it need not be found out for each text.
    textEncoding: 'quoted-printable' as const,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    messageId: id(mail.messageId),
    ...(conversation && { references: conversation, inReplyTo: conversation }),
    headers: {
      ...mail.headers,
      ...(mail.unsubscribeUrl && {
        'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** RFC 5322, 3.6.4: an id is `<left@right>`; a bare id gets the sender's domain. */
function messageIdFrom(id: string, from: string): string {
  const domain = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  const bare = id.replace(/^<|>$/g, '');
  return `<${bare.includes('@') ? bare : `${bare}@${domain}`}>`;
}

/** RFC 2034: after the reply code stands the status of RFC 3463. */
const STATUS = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/;

function failure(
  { code = 'UNKNOWN', command = '', responseCode, response = '' }: SmtpError,
  handedOver: boolean,
): Error {
  if (responseCode && responseCode >= 500 && ABOUT_THE_MESSAGE.has(command))
    return new MailRefused(responseCode, STATUS.exec(response)?.[1] ?? null, command === 'RCPT TO');
  if (code === 'EENVELOPE' && !responseCode) return new MailRefused();
  return new MailUnavailable(responseCode ? String(responseCode) : code, handedOver && !responseCode);
}
