/** The mail port: sends one message to one recipient, and reports the outcome. */

/** The sender of a mail. The name is unchecked text, the address is validated. */
export interface Sender {
  name: string;
  address: string;
}

/** A file in a mail. The name is one that we chose. */
export interface MailAttachment {
  fileName: string;
  mediaType: string;
  content: Buffer;
}

export interface Mail {
  /** The sender. Absent: the platform's own sender. */
  from?: Sender;
  replyTo?: string;
  /** The address for delivery reports (RFC 5321, 2.3.1). Absent: the sender's address. */
  returnPath?: string;
  /** One address. A message to many people is many messages, so that each has an outcome and none sees the others. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /**
   * The message id. It is derived from the id of the record that the mail is about, so that a repeated send is
   * recognized as the same message.
   */
  messageId: string;
  /** An id that the mails of one conversation share, derived like the message id (RFC 5322, 3.6.4). */
  conversation?: string;
  /** The address where one POST unsubscribes from this kind of mail (RFC 8058). */
  unsubscribeUrl?: string;
  headers?: Record<string, string>;
  attachments?: readonly MailAttachment[];
}

export interface MailPort {
  /**
   * Hands the message to the mail server.
   * @throws MailRefused when the server refuses it permanently
   * @throws MailUnavailable when a later attempt may succeed
   */
  send(mail: Mail): Promise<'sent'>;
  /** Closes idle connections. */
  close(): void;
}

/**
 * The steps of sending, in their order. `greeting`: the SMTP session did not start, or broke before the mail was
 * accepted.
 */
export const MAIL_STEPS = ['resolve', 'connect', 'tls', 'greeting', 'auth', 'sender', 'recipient', 'data'] as const;
export type MailStep = (typeof MAIL_STEPS)[number];

/** A permanent refusal (RFC 5321, 4.2.1: a 5yz reply): the address is wrong, or the message is unwanted. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';

  /**
   * @param code the server's reply code; absent if the message was never offered to it
   * @param status the enhanced status code (RFC 3463), for example `5.1.1`; null if the server gave none
   */
  constructor(
    readonly code?: number,
    readonly status: string | null = null,
    readonly step: MailStep = 'recipient',
  ) {
    super(`The mail server refused the message permanently${code ? ` (${code})` : ''}.`);
  }

  /** Whether the server refused the address rather than the message. */
  get ofRecipient(): boolean {
    return this.step === 'recipient' && this.code !== undefined;
  }
}

/** A temporary failure: a 4yz reply, no connection, no answer, or a refused log-in or sender. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';

  /**
   * @param reason a short code, never the server's text, which may quote the recipient
   * @param mayHaveBeenSent whether the server had received the whole message when the connection was lost
   */
  constructor(
    readonly reason: string,
    readonly mayHaveBeenSent: boolean,
    readonly step: MailStep,
  ) {
    super(`The mail server did not accept the message now (${reason}).`);
  }

  /** Whether the failure concerns all mail to this server. If false, it concerns only this message. */
  get ofServer(): boolean {
    const concernsMessage = this.step === 'recipient' || this.step === 'data';
    // The server may send 421 at any step, and then closes the session (RFC 5321, 3.8). So this reply concerns all
    // mail, not only this message.
    return !(concernsMessage && /^\d{3}$/.test(this.reason) && this.reason !== '421');
  }
}
