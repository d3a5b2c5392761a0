/** How an organization sends, and what it says of events for those who have not chosen. */
import { audit, changes } from '../../database/audit.js';
import { encrypt } from '../../database/encryption.js';
import { editRow, lockRow } from '../../database/model/change.js';
import { defaultsOf } from '../../database/model/defineModel.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { notificationErrors } from '../errors.js';
import { type EventType, EVENT_TYPES, LOCKED_EVENT, type Way, WAYS } from '../eventTypes.js';
import { defaultOf, quoted } from '../statements.js';
import { NotificationSettings } from './NotificationSettings.js';
import { isOfPlatform, isPlatformsOwn } from './sendsFrom.js';
import { clearServerFailure } from './mailServer.js';
import { passwordPlace } from './readSending.js';

export type EventDefault = { event_type: EventType } & Record<`${Way}_enabled`, boolean>;

export interface Settings {
  settings: ShownRow<typeof NotificationSettings>;
  defaults: EventDefault[];
}

/** A mail server, as it is given: a password that is left out stays. */
export interface SmtpGiven {
  host: string;
  port: number;
  security: 'tls' | 'starttls';
  username?: string | null | undefined;
  password?: string | undefined;
}

export interface SettingsChange {
  sender?: { [Name in 'from_name' | 'from_email' | 'reply_to']?: string | null | undefined } | undefined;
  smtp?: SmtpGiven | null | undefined;
  push_previews?: boolean | undefined;
  ai_scope_notifications?: boolean | undefined;
  defaults?: readonly EventDefault[] | undefined;
  version?: number | undefined;
}

/** Until somebody changes something: version 0 says that nobody has. */
const NOTHING = { ...defaultsOf(NotificationSettings), version: 0 } as ShownRow<typeof NotificationSettings>;

/** What was said of a server holds while these stay. */
const SENDS_BY = new Set([
  'from_email',
  'smtp_host',
  'smtp_port',
  'smtp_security',
  'smtp_username',
  'smtp_password_encrypted',
]);

const tenant = () => ({ organization_id: currentOrganization() });

export const shownSettings = async (): Promise<Settings['settings']> =>
  (await findRow(NotificationSettings, tenant())) ?? NOTHING;

export const readSettings = async (): Promise<Settings> => ({
  settings: await shownSettings(),
  defaults: await readDefaults(),
});

const readDefaults = (): Promise<EventDefault[]> =>
  rows<EventDefault>(
    `SELECT e.event_type, ${WAYS.map((way) => `${defaultOf(way, 'e.event_type')} AS ${way}_enabled`).join(', ')}
       FROM unnest(ARRAY[${EVENT_TYPES.map(quoted).join(', ')}]) WITH ORDINALITY AS e (event_type, nth)
       LEFT JOIN notification_defaults d ON d.organization_id = $1 AND d.event_type = e.event_type ORDER BY e.nth`,
    [currentOrganization()],
  );

/** @throws Refusal stale_version, validation_error, sender_needs_smtp, sender_taken, preference_locked */
export async function changeSettings(change: SettingsChange): Promise<Settings> {
  await writeSettings(change);
  return readSettings();
}

/** The same, where others are shown. */
export async function writeSettings({ sender, smtp, defaults, ...change }: SettingsChange): Promise<void> {
  await rows('INSERT INTO notification_settings (organization_id, version) VALUES ($1, 0) ON CONFLICT DO NOTHING', [
    currentOrganization(),
  ]);
  const row = await lockRow(NotificationSettings, tenant());
  const password = smtp?.password !== undefined && row.smtp_password_encrypted !== null ? 'replaced' : undefined;
  const server = smtp !== undefined && serverOf(row, smtp);
  const { from_email = row.from_email } = sender ?? {};
  const taken =
    (sender !== undefined || smtp !== undefined) &&
    platformSender(from_email, smtp === undefined ? row.smtp_host : smtp);
  const changed = await editRow(row, { ...change, ...sender, ...server, ...taken });
  if (changed.some((name) => SENDS_BY.has(name))) await clearServerFailure();
  if (password)
    await audit({
      action: 'notification_settings.password_replaced',
      subjectType: 'notification_settings',
      subjectId: row.id,
    });
  if (defaults) await changeDefaults(row.id, defaults);
}

/** What the platform's server sends for an organization is from an address that no other has. @throws Refusal sender_taken */
function platformSender(address: string | null, ownServer: unknown) {
  if (ownServer !== null || address === null || !isOfPlatform(address)) return { platform_sender: null };
  if (isPlatformsOwn(address)) throw notificationErrors.sender_taken();
  return { platform_sender: address };
}

/** The columns of a server. A password goes to no server that it was not entered for. */
function serverOf(row: NotificationSettings, smtp: SmtpGiven | null) {
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
  if (username === null && password !== undefined) throw invalid('smtp', 'A password belongs to a username.');
  if (username !== null && password === undefined && !(sameServer && row.smtp_password_encrypted))
    throw invalid('smtp', 'Send the password again: it would go to another server than the one it was entered for.');
  return {
    smtp_host: host,
    smtp_port: port,
    smtp_security: security,
    smtp_username: username,
    ...(username === null
      ? { smtp_password_encrypted: null }
      : password !== undefined && { smtp_password_encrypted: encrypt(password, passwordPlace(row.id)) }),
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
      ...WAYS.map((way) => wanted.map((one) => one[`${way}_enabled`])),
    ],
  );
  const byEvent = (list: readonly EventDefault[]) =>
    Object.fromEntries(list.map(({ event_type, ...ways }) => [event_type, ways]));
  const differing = changes(byEvent(before), byEvent(await readDefaults()));
  if (Object.keys(differing.after).length === 0) return;
  await audit({
    action: 'notification_settings.defaults_changed',
    subjectType: 'notification_settings',
    subjectId: settingsId,
    ...differing,
  });
}
