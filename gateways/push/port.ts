/** Push in the platform's words: one message to one device, and an honest answer about what became of it. */

export type PushPlatform = 'ios' | 'android';
/** Where an app's token was made: APNs keeps devices of developers apart. FCM does not. */
export type PushEnvironment = 'production' | 'sandbox';

export interface PushMessage {
  /** Of the delivery record, a UUID: one attempt is one id, also at the gateway. */
  recordId: string;
  /** The same for every attempt of a notification, at most 64 bytes: a repeat replaces what a device shows already. */
  collapseId: string;
  token: string;
  environment: PushEnvironment;
  title: string;
  body: string;
  /** What is unread; the number on the app's icon. */
  badge: number;
  /** What the app needs to open the right page: ids and paths, no personal data. Never shortened. */
  data: Record<string, string>;
}

export interface PushAnswer {
  outcome: 'success' | 'unregistered' | 'transient_failure';
  /** The gateway's own word for it, or ours where there was no answer; null after a success. */
  errorCode: string | null;
  /** What the gateway calls the message. */
  gatewayId: string | null;
  durationMs: number;
  next: Next;
}

/** What is to be done about an answer. */
export type Next =
  | { do: 'nothing' }
  /** The token is dead if it was registered last before this moment; without one, before it was asked. */
  | { do: 'prune'; registeredBefore: Date | null }
  /** `afterSeconds` as the gateway asked for. */
  | { do: 'repeat'; afterSeconds: number | null }
  | { do: 'try_other_environment' }
  /** The gateway does not take our credentials: whatever it says of tokens now means nothing. */
  | { do: 'pause_gateway' };

export interface PushPort {
  /** Never throws: without an answer of the gateway, that is the answer. */
  send(message: PushMessage): Promise<PushAnswer>;
  /** Closes idle connections. */
  close(): void;
}

/** The port of each platform; null without credentials. */
export type PushPorts = Record<PushPlatform, PushPort | null>;

/** What an adapter says of an exchange; the time that it took is measured in one place. */
export type Verdict = Omit<PushAnswer, 'durationMs'>;

export interface PushAdapter {
  send(message: PushMessage): Promise<Verdict>;
  close(): void;
}
