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

/** A permanent refusal (RFC 5321, 4.2.1: a 5yz reply): the address is wrong, or the message is unwanted. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';

  /**
   * @param code the server's reply code; absent when the message was never offered to it
   * @param status what it says in the terms of RFC 3463, for example `5.1.1`; null when it says nothing
   * @param ofRecipient it refused the address, not the message
   */
  constructor(
    readonly code?: number,
    readonly status: string | null = null,
    readonly ofRecipient = false,
  ) {
    super(`The mail server refused the message for good${code ? ` (${code})` : ''}.`);
  }
}

/** A temporary failure: a 4yz reply, no connection, no answer, or our own log-in was refused. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';

  /**
   * @param reason a short code, never the server's text: that may quote the recipient
   * @param mayHaveBeenSent the server had all of the message when the connection was lost
   */
  constructor(
    readonly reason: string,
    readonly mayHaveBeenSent: boolean,
  ) {
    super(`The mail server did not take the message now (${reason}).`);
  }
}
