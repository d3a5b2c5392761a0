/** Sends mail over SMTP, through a small pool of connections. */
import { type Readable, Transform } from 'node:stream';
import { callbackify } from 'node:util';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { config } from '../../config.js';
import { type Address, connectToServer } from './connectToServer.js';
import { type Mail, type MailAttachment, type MailPort, MailRefused, type MailStep, MailUnavailable } from './port.js';

export interface SmtpSettings {
  /**
   * Address of the mail server: smtp://user:password@host:port or smtps://…. The query may set further options of
   * nodemailer.
   */
  url: string;
  /** A server that an organization chose. It is reached on the public internet only, and `url` is ignored. */
  chosen?: Address & { auth?: { user: string; pass: string } };
  from: string;
  /** Refuses to send in clear text. `?ignoreTLS=true` in the URL allows it for a relay on the same host. */
  requireTls: boolean;
}

const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

/** Limits for servers that organizations chose: fewer connections, and a shorter total time. */
const CHOSEN_SERVER_LIMITS = { maxConnections: 3, longestMs: 45_000 };
const ADDRESS = /^[^\s@,;<>()"]+@[^\s@,;<>()"]+$/;

type Tracked = SendMailOptions & { onHandedOver: () => void };

interface SmtpError {
  code?: string;
  /** The error code of the operating system. It is set if `code` is an error code of the mail library. */
  originalCode?: string;
  command?: string;
  responseCode?: number | false;
  response?: string;
}

/**
 * Returns the adapter for a mail server. Settings that are absent come from the environment variables (SMTP_URL,
 * MAIL_FROM).
 */
export function smtpMail(settings: Partial<SmtpSettings> = {}): MailPort {
  const { url = config.SMTP_URL, from = config.MAIL_FROM, requireTls = config.production, chosen } = settings;
  const transport = createTransport({
    ...(chosen ? { ...chosen, getSocket } : { url }),
    pool: true,
    maxConnections: chosen ? CHOSEN_SERVER_LIMITS.maxConnections : 10,
    // The library must not resend after a lost connection, because the mail could arrive twice; the caller decides.
    maxRequeues: 0,
    requireTLS: requireTls && (chosen !== undefined || !/[?&]ignoreTLS=true/i.test(url)),
    disableFileAccess: true,
    disableUrlAccess: true,
    ...LIMITS,
  });
  transport.use('stream', ({ data, message }, done) => {
    // The library does not report how far a failed send came. The message counts as handed over once its stream was
    // read to the end.
    message?.processFunc((body: Readable) => body.pipe(joinChunks()).once('end', (data as Tracked).onHandedOver));
    done();
  });
  return {
    async send(mail) {
      if (!ADDRESS.test(mail.to)) throw new MailRefused();
      let handedOver = false;
      const onHandedOver = () => {
        handedOver = true;
      };
      const signal = chosen && AbortSignal.timeout(CHOSEN_SERVER_LIMITS.longestMs);
      const tracked: Tracked = { ...message(mail, from), onHandedOver, ...(signal && { signal }) };
      try {
        await transport.sendMail(tracked);
        return 'sent';
      } catch (error) {
        throw error instanceof MailUnavailable ? error : failure(error as SmtpError, handedOver);
      }
    },
    close: () => transport.close(),
  };
}

/** Connects in place of the library, whose own look-up would not check the address. */
const getSocket = callbackify(({ host = '', port = 0, secure = false }: Partial<Address>) =>
  connectToServer({ host, port, secure }),
);

/** Combines the lines of a mail into one write: mails are small, and there are many. */
function joinChunks(): Transform {
  const pieces: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pieces.push(chunk);
      done();
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
    // The address is passed as an object, because the library would split a text at a comma into two recipients.
    to: { name: '', address: mail.to },
    ...(mail.replyTo && { replyTo: { name: '', address: mail.replyTo } }),
    ...(mail.returnPath && { envelope: { from: mail.returnPath, to: mail.to } }),
    subject: mail.subject,
    // Set explicitly, so that the library does not analyse each text.
    textEncoding: 'quoted-printable' as const,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    ...(mail.attachments && { attachments: mail.attachments.map(attachmentOf) }),
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

const attachmentOf = ({ fileName, mediaType, content }: MailAttachment) => ({
  filename: fileName,
  contentType: mediaType,
  content,
});

/**
 * Returns a message id in the form `<left@right>` (RFC 5322, 3.6.4). An id without a domain gets the sender's domain.
 */
function messageIdFrom(id: string, from: string): string {
  const domain = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  const bare = id.replace(/^<|>$/g, '');
  return `<${bare.includes('@') ? bare : `${bare}@${domain}`}>`;
}

/** Matches the enhanced status code (RFC 3463), which follows the reply code (RFC 2034). */
const STATUS = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/;

/**
 * Reply code for a message that is too large. The server may send it even before the message, in response to the sender
 * command. It still concerns only this message (RFC 1870, 6.1).
 */
const TOO_LARGE = 552;

/**
 * Translates an error of the mail library. A reply about the sender or the connection says nothing about the message,
 * so the failure counts as temporary.
 */
function failure(error: SmtpError, handedOver: boolean): Error {
  const { code = 'UNKNOWN', responseCode, response = '' } = error;
  const step = stepOf(error, handedOver);
  if (
    responseCode &&
    responseCode >= 500 &&
    (isAboutTheMail(step) || (step === 'sender' && responseCode === TOO_LARGE))
  )
    return new MailRefused(responseCode, STATUS.exec(response)?.[1] ?? null, step);
  if (code === 'EENVELOPE' && !responseCode) return new MailRefused();
  if (code === 'EMESSAGE' && !responseCode) return new MailRefused(TOO_LARGE, null, 'data');
  return new MailUnavailable(responseCode ? String(responseCode) : codeOf(error), handedOver && !responseCode, step);
}

const isAboutTheMail = (step: MailStep): boolean => step === 'recipient' || step === 'data';

const codeOf = ({ code = 'UNKNOWN', originalCode }: SmtpError): string => originalCode ?? code;

const STEP_OF_COMMAND: Readonly<Record<string, MailStep>> = {
  'MAIL FROM': 'sender',
  'RCPT TO': 'recipient',
  DATA: 'data',
  STARTTLS: 'tls',
};
const STEP_OF_CODE: Readonly<Record<string, MailStep>> = { EDNS: 'resolve', ETLS: 'tls', EAUTH: 'auth' };
const CONNECT_ERRORS = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

function stepOf({ code = '', originalCode = '', command = '' }: SmtpError, handedOver: boolean): MailStep {
  const step = STEP_OF_COMMAND[command] ?? STEP_OF_CODE[code];
  if (step) return step;
  if (handedOver) return 'data';
  return CONNECT_ERRORS.has(originalCode) ? 'connect' : 'greeting';
}
