/** Event types, for which people have preferences (spec: Events 6), and the categories under which they are shown. */

export const CATEGORIES = [
  'forum',
  'election',
  'compliance',
  'billing',
  'learning',
  'recognition',
  'events',
  'system',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** The category of each event type. The domain `notification_event` lists the same event types. */
export const CATEGORY_OF = {
  reply_to_post: 'forum',
  new_post: 'forum',
  mention: 'forum',
  election_published: 'election',
  election_results_published: 'election',
  compliance_item_assigned: 'compliance',
  compliance_item_due: 'compliance',
  invoice_issued: 'billing',
  invoice_due_soon: 'billing',
  invoice_overdue: 'billing',
  payment_updated: 'billing',
  course_assigned: 'learning',
  recognition_received: 'recognition',
  event_published: 'events',
  event_updated: 'events',
  event_reminder: 'events',
  platform_alert: 'system',
  account_security: 'system',
  membership_changed: 'system',
  approval_requested: 'system',
  request_decided: 'system',
  bulletin_published: 'system',
  message_received: 'system',
} as const satisfies Record<string, Category>;

export type EventType = keyof typeof CATEGORY_OF;
export const EVENT_TYPES = Object.keys(CATEGORY_OF) as [EventType, ...EventType[]];

/**
 * Event types that are delivered first, and also in quiet hours. The column `notifications.critical` is defined with
 * the same list.
 */
export const CRITICAL_EVENTS: ReadonlySet<EventType> = new Set([
  'invoice_issued',
  'invoice_due_soon',
  'invoice_overdue',
  'payment_updated',
  'account_security',
  'membership_changed',
]);

/**
 * The event type whose in-app and mail channels cannot be turned off: an attacker who took over an account would turn
 * them off first.
 */
export const LOCKED_EVENT: EventType = 'account_security';

/** The channels that a person can choose for an event type. */
export const PREFERENCE_CHANNELS = ['in_app', 'email', 'push'] as const;
export type PreferenceChannel = (typeof PREFERENCE_CHANNELS)[number];
