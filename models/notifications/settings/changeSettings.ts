/**
 * Reads and changes an organization's notification settings: its sender and mail server, and the default channels of
 * each event type.
 */
import { audit, changes } from '../../database/audit.js';
import { encrypt } from '../../database/encryption.js';
import { editRow, lockForEdit } from '../../database/model/change.js';
import { defaultsOf } from '../../database/model/defineModel.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { notificationErrors } from '../errors.js';
import {
  type EventType,
  EVENT_TYPES,
  LOCKED_EVENT,
  type PreferenceChannel,
  PREFERENCE_CHANNELS,
} from '../eventTypes.js';
import { defaultOf, quoted } from '../statements.js';
import { NotificationSettings } from './NotificationSettings.js';
import { isOfPlatform, isReserved } from './sendsFrom.js';
import { clearServerFailure } from './mailServer.js';
import { passwordContext } from './readMailSender.js';

export type EventDefault = { event_type: EventType } & Record<`${PreferenceChannel}_enabled`, boolean>;

export interface Settings {
  settings: ShownRow<typeof NotificationSettings>;
  defaults: EventDefault[];
}

/** A mail server as submitted. If the password is left out, the stored one is kept. */
export interface SmtpInput {
  host: string;
  port: number;
  security: 'tls' | 'starttls';
  username?: string | null | undefined;
  password?: string | undefined;
}

export interface SettingsChange {
  sender?: { [Name in 'from_name' | 'from_email' | 'reply_to']?: string | null | undefined } | undefined;
  smtp?: SmtpInput | null | undefined;
  push_previews?: boolean | undefined;
  ai_scope_notifications?: boolean | undefined;
  defaults?: readonly EventDefault[] | undefined;
  version?: number | undefined;
}

/** The settings of an organization that has not changed any yet, which version 0 indicates. */
const DEFAULT_SETTINGS = { ...defaultsOf(NotificationSettings), version: 0 } as ShownRow<typeof NotificationSettings>;

/**
 * Columns that determine the sender and the mail server. When one changes, a recorded failure of the server is cleared.
 */
const SERVER_COLUMNS = new Set([
  'from_email',
  'smtp_host',
  'smtp_port',
  'smtp_security',
  'smtp_username',
  'smtp_password_encrypted',
]);

const tenant = () => ({ organization_id: currentOrganization() });

export const shownSettings = async (): Promise<Settings['settings']> =>
  (await findRow(NotificationSettings, tenant())) ?? DEFAULT_SETTINGS;

export const readSettings = async (): Promise<Settings> => ({
  settings: await shownSettings(),
  defaults: await readDefaults(),
});

const readDefaults = (): Promise<EventDefault[]> =>
  rows<EventDefault>(
    `SELECT e.event_type, ${PREFERENCE_CHANNELS.map((way) => `${defaultOf(way, 'e.event_type')} AS ${way}_enabled`).join(', ')}
       FROM unnest(ARRAY[${EVENT_TYPES.map(quoted).join(', ')}]) WITH ORDINALITY AS e (event_type, nth)
       LEFT JOIN notification_defaults d ON d.organization_id = $1 AND d.event_type = e.event_type ORDER BY e.nth`,
    [currentOrganization()],
  );

/**
 * Changes the settings and returns them.
 * @throws Refusal stale_version, validation_error, sender_needs_smtp, sender_taken, preference_locked
 */
export async function changeSettings(change: SettingsChange): Promise<Settings> {
  await writeSettings(change);
  return readSettings();
}

/** Changes the settings without reading them afterwards. */
export async function writeSettings({ sender, smtp, defaults, ...change }: SettingsChange): Promise<void> {
  await rows('INSERT INTO notification_settings (organization_id, version) VALUES ($1, 0) ON CONFLICT DO NOTHING', [
    currentOrganization(),
  ]);
  const row = await lockForEdit(NotificationSettings, tenant());
  const password = smtp?.password !== undefined && row.smtp_password_encrypted !== null ? 'replaced' : undefined;
  const server = smtp !== undefined && serverOf(row, smtp);
  const { from_email = row.from_email } = sender ?? {};
  const platformSenderColumn =
    (sender !== undefined || smtp !== undefined) &&
    platformSender(from_email, smtp === undefined ? row.smtp_host : smtp);
  const changed = await editRow(row, { ...change, ...sender, ...server, ...platformSenderColumn });
  if (changed.some((name) => SERVER_COLUMNS.has(name))) await clearServerFailure();
  if (password)
    await audit({
      action: 'notification_settings.password_replaced',
      subjectType: 'notification_settings',
      subjectId: row.id,
    });
  if (defaults) await changeDefaults(row.id, defaults);
}

/**
 * Returns the value of the column that reserves a sender address for this organization. An address is reserved only if
 * the platform's own mail server sends for it; otherwise the value is null.
 * @throws Refusal sender_taken
 */
function platformSender(address: string | null, ownServer: unknown) {
  if (ownServer !== null || address === null || !isOfPlatform(address)) return { platform_sender: null };
  if (isReserved(address)) throw notificationErrors.sender_taken();
  return { platform_sender: address };
}

/** Returns the columns of a mail server. A stored password is never used for a server for which it was not entered. */
function serverOf(row: NotificationSettings, smtp: SmtpInput | null) {
  if (smtp === null)
    return {
      smtp_host: null,
      smtp_port: null,
      smtp_security: null,
      smtp_username: null,
      smtp_password_encrypted: null,
    };
  const { host, port, security, password, username = row.smtp_username } = smtp;
  const sameServer =
    [row.smtp_host, row.smtp_port, row.smtp_security, row.smtp_username].join() ===
    [host, port, security, username].join();
  if (username === null && password !== undefined) throw invalid('smtp', 'A password needs a username.');
  if (username !== null && password === undefined && !(sameServer && row.smtp_password_encrypted))
    throw invalid('smtp', 'Send the password again: the server or the username has changed since it was entered.');
  return {
    smtp_host: host,
    smtp_port: port,
    smtp_security: security,
    smtp_username: username,
    ...(username === null
      ? { smtp_password_encrypted: null }
      : password !== undefined && { smtp_password_encrypted: encrypt(password, passwordContext(row.id)) }),
  };
}

async function changeDefaults(settingsId: string, wanted: readonly EventDefault[]): Promise<void> {
  if (wanted.some((one) => one.event_type === LOCKED_EVENT && !(one.in_app_enabled && one.email_enabled)))
    throw notificationErrors.preference_locked();
  const before = await readDefaults();
  await rows(
    `INSERT INTO notification_defaults (organization_id, event_type, in_app_enabled, email_enabled, push_enabled)
     SELECT $1, * FROM unnest($2::text[], $3::boolean[], $4::boolean[], $5::boolean[])
     ON CONFLICT (organization_id, event_type) DO UPDATE SET in_app_enabled = excluded.in_app_enabled,
       email_enabled = excluded.email_enabled, push_enabled = excluded.push_enabled`,
    [
      currentOrganization(),
      wanted.map(({ event_type }) => event_type),
      ...PREFERENCE_CHANNELS.map((way) => wanted.map((one) => one[`${way}_enabled`])),
    ],
  );
  const byEvent = (list: readonly EventDefault[]) =>
    Object.fromEntries(list.map(({ event_type, ...ways }) => [event_type, ways]));
  const difference = changes(byEvent(before), byEvent(await readDefaults()));
  if (Object.keys(difference.after).length === 0) return;
  await audit({
    action: 'notification_settings.defaults_changed',
    subjectType: 'notification_settings',
    subjectId: settingsId,
    ...difference,
  });
}
