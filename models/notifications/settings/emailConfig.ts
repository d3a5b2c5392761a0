/** The sender and the mail server of an organization, which are a part of its notification settings. */
import type { ShownRow } from '../../database/model/read.js';
import { type SettingsChange, shownSettings, writeSettings } from './changeSettings.js';
import { readServerFailure, type ServerFailure } from './mailServer.js';
import type { NotificationSettings } from './NotificationSettings.js';

export interface EmailConfig {
  settings: ShownRow<typeof NotificationSettings>;
  /**
   * Why the organization's own mail server refuses mail. Null if it accepts mail, or if the organization has no server
   * of its own.
   */
  failing: ServerFailure | null;
}

export const readEmailConfig = async (): Promise<EmailConfig> => ({
  settings: await shownSettings(),
  failing: await readServerFailure(),
});

/**
 * Replaces the sender and mail server.
 * @throws Refusal stale_version, validation_error, sender_needs_smtp, sender_taken
 */
export async function replaceEmailConfig(
  given: Required<Pick<SettingsChange, 'sender' | 'smtp'>> & Pick<SettingsChange, 'version'>,
): Promise<EmailConfig> {
  await writeSettings(given);
  return readEmailConfig();
}

/** Removes the organization's own sender and mail server, so that the platform's address and server are used. */
export async function removeEmailConfig(): Promise<void> {
  const { version } = await shownSettings();
  if (version === 0) return;
  await writeSettings({ sender: { from_name: null, from_email: null, reply_to: null }, smtp: null });
}
