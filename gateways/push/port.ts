/** The push port: sends one message to one device, and reports the outcome. */

export type PushPlatform = 'ios' | 'android';
/**
 * The environment to which a token belongs: APNs has a second one, `sandbox`, for development builds; FCM has only one.
 */
export type PushEnvironment = 'production' | 'sandbox';

export interface PushMessage {
  /** The id of the delivery record, a UUID; the gateway gets it as the id of the message. */
  recordId: string;
  /**
   * An id that all attempts of one notification share, at most 64 bytes. A repeated push replaces the one that the
   * device shows.
   */
  collapseId: string;
  token: string;
  environment: PushEnvironment;
  title: string;
  body: string;
  /** The number of unread notifications, for the app icon. */
  badge: number;
  /** The data with which the app opens the right page: ids and paths, no personal data. Never shortened. */
  data: Record<string, string>;
}

export interface PushAnswer {
  outcome: 'success' | 'unregistered' | 'transient_failure';
  /** The gateway's error code, or ours if there was no response; null after a success. */
  errorCode: string | null;
  /** The gateway's id of the message. */
  gatewayId: string | null;
  durationMs: number;
  next: Next;
}

/** The next step after a response. */
export type Next =
  | { do: 'nothing' }
  /**
   * Remove the token, unless it was registered again after `registeredBefore`. If `registeredBefore` is null, the time
   * when the push was sent is used instead.
   */
  | { do: 'prune'; registeredBefore: Date | null }
  /** The push failed for now. `afterSeconds` is the delay that the gateway requested; null: it requested none. */
  | { do: 'repeat'; afterSeconds: number | null }
  | { do: 'try_other_environment' }
  /** The gateway refuses our credentials, so its answers about tokens mean nothing. */
  | { do: 'pause_gateway' };

export interface PushPort {
  /** Sends a message. Never throws: a missing response is an outcome as well. */
  send(message: PushMessage): Promise<PushAnswer>;
  /** Closes idle connections. */
  close(): void;
}

/** The port of each platform; null without credentials. */
export type PushPorts = Record<PushPlatform, PushPort | null>;

/** The result of an adapter, without the duration, which the port measures. */
export type Verdict = Omit<PushAnswer, 'durationMs'>;

export interface PushAdapter {
  send(message: PushMessage): Promise<Verdict>;
  close(): void;
}
