/** Pushes of notifications; each is recorded before it is sent. */
import type { Next, PushAnswer, PushMessage, PushPort } from '../../gateways/push/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import { type ClaimedDelivery, postponeDeliveries } from '../../models/notifications/deliveries/claimDeliveries.js';
import {
  claimAttempts,
  concludeAttempts,
  type Concluded,
  type PushAttempt,
} from '../../models/notifications/push/attempts.js';
import { pauseGateway, resumeGateway } from '../../models/notifications/push/gatewayState.js';
import { pruneTokens } from '../../models/notifications/push/pruneTokens.js';
import type { Platform } from '../../models/notifications/push/PushToken.js';
import { settleDeliveries } from '../../models/notifications/push/settleDeliveries.js';
import { pushes } from '../push.js';

/** Deliveries per claim, and concurrent claims: while one is being sent, another is claimed. */
const AT_ONCE = 25;
const LANES = 2;
/** More than this many deliveries held by quiet hours are combined into one push. */
const MOST_HELD = 3;
/**
 * Backoff in seconds where the gateway names none; after the last try the phone is given up for this notification.
 */
const WAITS_SECONDS = [10, 30, 120, 600, 1_800];
const PAUSE_SECONDS = 60;

/** A push, and further deliveries that it stands for. */
interface Push {
  delivery: ClaimedDelivery;
  others: string[];
}

export const sendPushes =
  (platform: Platform) =>
  async (organizationId: string, claimed: ClaimedDelivery[]): Promise<void> => {
    const port = pushes()[platform];
    if (!port) return;
    const planned = planPushes(claimed);
    let next = 0;
    let paused = false;
    const lane = async () => {
      while (!paused && next < planned.length) {
        const some = planned.slice(next, (next += AT_ONCE));
        if (await sendSome({ platform, port, organizationId }, some)) paused = true;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const left = planned.slice(next).flatMap(idsOf);
    if (left.length > 0) await inTenant(organizationId, () => postponeDeliveries(platform, left, PAUSE_SECONDS));
  };

const idsOf = ({ delivery, others }: Push): string[] => [delivery.notificationId, ...others];

/** Combines the deliveries that quiet hours held for one person into one push. */
function planPushes(claimed: readonly ClaimedDelivery[]): Push[] {
  const held = new Map<string, ClaimedDelivery[]>();
  for (const delivery of claimed.filter((one) => one.held))
    held.set(delivery.recipientId, [...(held.get(delivery.recipientId) ?? []), delivery]);
  return claimed.flatMap((delivery): Push[] => {
    const group = (delivery.held && held.get(delivery.recipientId)) || [];
    if (group.length <= MOST_HELD) return [{ delivery, others: [] }];
    if (group[0] !== delivery) return [];
    const others = group.slice(1).map(({ notificationId }) => notificationId);
    return [{ delivery: summaryOf(delivery, group.length), others }];
  });
}

const summaryOf = (first: ClaimedDelivery, count: number): ClaimedDelivery => ({
  ...first,
  title: 'While it was quiet',
  body: `${count} notifications`,
  targetUrl: '/notifications',
});

interface Way {
  platform: Platform;
  port: PushPort;
  organizationId: string;
}

/** @returns whether the gateway is paused now */
async function sendSome({ platform, port, organizationId }: Way, planned: readonly Push[]): Promise<boolean> {
  const deliveries = new Map(planned.map(({ delivery }) => [delivery.notificationId, delivery]));
  const batches = planned.map(({ delivery: { notificationId, recipientId }, others }) => ({
    notificationId,
    recipientId,
    others,
  }));
  // The second round is for phones that are tried in their other environment.
  for (let round = 1; ; round += 1) {
    const attempts = await inTenant(organizationId, () => claimAttempts(platform, [...deliveries.values()]));
    const answers = await Promise.all(
      attempts.map(async (attempt) => {
        const delivery = deliveries.get(attempt.notificationId) as ClaimedDelivery;
        return { attempt, answer: await port.send(messageOf(organizationId, delivery, attempt)) };
      }),
    );
    const concluded = answers.map(({ attempt, answer }) => concludedOf(attempt, answer));
    const again = round === 1 && concluded.some(({ repeatsIn }) => repeatsIn === 0);
    const refused = answers.find(({ answer }) => answer.next.do === 'pause_gateway')?.answer.errorCode;
    await inTenant(organizationId, async () => {
      await concludeAttempts(concluded);
      await pruneTokens(platform, answers.flatMap(unknownOf));
      if (refused) await pauseGateway(platform, refused);
      else if (concluded.some(({ outcome }) => outcome === 'success')) await resumeGateway(platform);
      if (!again) await settleDeliveries(platform, batches);
    });
    if (!again) return refused !== undefined && refused !== null;
  }
}

function messageOf(organizationId: string, delivery: ClaimedDelivery, attempt: PushAttempt): PushMessage {
  const { notificationId, title, body, targetUrl } = delivery;
  const { id: recordId, token, environment, badge } = attempt;
  return {
    recordId,
    collapseId: notificationId,
    token,
    environment,
    title,
    body,
    badge,
    data: { notification_id: notificationId, organization_id: organizationId, target_url: targetUrl },
  };
}

/** A token unknown in both environments is unregistered. */
const isUnknownAnywhere = (attempt: PushAttempt, { next }: PushAnswer): boolean =>
  next.do === 'try_other_environment' && attempt.isSecondEnvironment;

function concludedOf(attempt: PushAttempt, answer: PushAnswer): Concluded {
  const { errorCode, gatewayId, durationMs, next } = answer;
  const outcome = isUnknownAnywhere(attempt, answer) ? 'unregistered' : answer.outcome;
  const repeatsIn = outcome === 'unregistered' ? null : secondsUntilNext(next, attempt.attempt);
  return { attempt, outcome, errorCode, gatewayId, durationMs, repeatsIn };
}

function secondsUntilNext(next: Next, attempt: number): number | null {
  if (next.do === 'try_other_environment') return 0;
  if (next.do === 'pause_gateway') return PAUSE_SECONDS;
  if (next.do !== 'repeat') return null;
  const usual = WAITS_SECONDS[attempt - 1];
  return usual === undefined ? null : (next.afterSeconds ?? usual);
}

/** Tokens to deactivate. */
function unknownOf({ attempt, answer }: { attempt: PushAttempt; answer: PushAnswer }) {
  const { tokenId, claimedAt } = attempt;
  if (isUnknownAnywhere(attempt, answer)) return [{ tokenId, registeredBefore: claimedAt }];
  if (answer.next.do !== 'prune') return [];
  return [{ tokenId, registeredBefore: answer.next.registeredBefore ?? claimedAt }];
}
