import type { ScheduledProcess } from './process.js';

/** Closes campaigns whose last day is past. Started by a Schedule; belongs to no organization. */
export const closeEndedCampaigns = {
  name: 'closeEndedCampaigns',
  kind: 'campaign_close_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // Once a day is enough, because a campaign accepts no gifts after its last day even if it is not closed yet.
  schedule: { id: 'close-campaigns', calendars: [{ minute: 0, hour: 1 }], catchupWindow: '12 hours' },
  seenBy: 'platform',
  summary: 'Close campaigns whose last day is past',
  expectedMinutes: 30,
  money: 'never',
  stages: { closing: 'Ended campaigns are being closed, organization by organization.' },
  ends: { closed: 'Every campaign whose last day is past is closed.' },
  steps: { closeNextCampaigns: 'the database to close ended campaigns' },
  sleepsUntil: null,
  failures: {},
  cancel: { when: 'never', says: 'It only closes campaigns that accept no more gifts.' },
} as const satisfies ScheduledProcess<'closed'>;
