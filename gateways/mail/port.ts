/** Mail in the platform's words: one message to one recipient, and an honest answer about what became of it. */

/** Who a mail is from: a name is what somebody typed, an address is checked. */
export interface Sender {
  name: string;
  address: string;
}

export interface Mail {
  /** Absent: the platform's own address. */
  from?: Sender;
  replyTo?: string;
  /** Where servers report what became of it (RFC 5321, 2.3.1); absent: the sender's address. */
  returnPath?: string;
  /** One address. A message to many people is many messages, so that each has an outcome and none sees the others. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Made from the id of what the mail is about, so that a repeated send can be recognized as the same message. */
  messageId: string;
  /** What the mails of one conversation have in common, made from its id as the message id is (RFC 5322, 3.6.4). */
  conversation?: string;
  /** Where one POST ends mail of this kind (RFC 8058). */
  unsubscribeUrl?: string;
  headers?: Record<string, string>;
}

export interface MailPort {
  /**
   * Hands the message to the mail server.
   * @throws MailRefused when the server will never take it
   * @throws MailUnavailable when a later attempt may succeed
   */
  send(mail: Mail): Promise<'sent'>;
  /** Closes idle connections. */
  close(): void;
}

/**
 * How far a mail came, in the order of the way. `greeting`: the conversation did not begin, or was broken off before the mail
 * was taken.
 */
export const MAIL_STEPS = ['resolve', 'connect', 'tls', 'greeting', 'auth', 'sender', 'recipient', 'data'] as const;
export type MailStep = (typeof MAIL_STEPS)[number];

/** A permanent refusal (RFC 5321, 4.2.1: a 5yz reply): the address is wrong, or the message is unwanted. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';

  /**
   * @param code the server's reply code; absent when the message was never offered to it
   * @param status what it says in the terms of RFC 3463, for example `5.1.1`; null when it says nothing
   */
  constructor(
    readonly code?: number,
    readonly status: string | null = null,
    readonly step: MailStep = 'recipient',
  ) {
    super(`The mail server refused the message for good${code ? ` (${code})` : ''}.`);
  }

  /** The server refused the address, not the message. */
  get ofRecipient(): boolean {
    return this.step === 'recipient' && this.code !== undefined;
  }
}

/** A temporary failure: a 4yz reply, no connection, no answer, or our own log-in or sender was refused. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';

  /**
   * @param reason a short code, never the server's text: that may quote the recipient
   * @param mayHaveBeenSent the server had all of the message when the connection was lost
   */
  constructor(
    readonly reason: string,
    readonly mayHaveBeenSent: boolean,
    readonly step: MailStep,
  ) {
    super(`The mail server did not take the message now (${reason}).`);
  }

  /** The server takes nobody's mail. Else it has said something about this one, and about no other. */
  get ofServer(): boolean {
    const aboutTheMail = this.step === 'recipient' || this.step === 'data';
    // RFC 5321, 3.8: by 421 a server closes the conversation, whatever was said before.
    return !(aboutTheMail && /^\d{3}$/.test(this.reason) && this.reason !== '421');
  }
}
