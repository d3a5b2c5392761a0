import type { Audience, PlatformAlert } from './queries';

export const AUDIENCE_LABELS: Readonly<Record<Audience, string>> = {
  admins: 'Administrators of every organization',
  everyone: 'Everybody',
};

export const STATUS_LABELS: Readonly<Record<PlatformAlert['status'], string>> = {
  running: 'Being sent',
  done: 'Sent',
  cancelled: 'Cancelled',
  stopped_right_lost: 'Stopped: its author is no platform admin any more',
};
