/** Pushes of notifications. Each push is recorded before it is sent. */
import type { Next, PushAnswer, PushMessage, PushPort } from '../../gateways/push/port.js';
import { inTenant } from '../../models/database/tenancy.js';
import { type ClaimedDelivery, postponeDeliveries } from '../../models/notifications/deliveries/claimDeliveries.js';
import {
  claimAttempts,
  concludeAttempts,
  type ConcludedAttempt,
  type PushAttempt,
} from '../../models/notifications/push/attempts.js';
import { pauseGateway, resumeGateway } from '../../models/notifications/push/gatewayState.js';
import { pruneTokens } from '../../models/notifications/push/pruneTokens.js';
import type { Platform } from '../../models/notifications/push/PushToken.js';
import { settleDeliveries } from '../../models/notifications/push/settleDeliveries.js';
import { pushPorts } from '../push.js';

/** Deliveries per claim, and number of concurrent claims: while one batch is being sent, another is claimed. */
const BATCH_SIZE = 25;
const LANES = 2;
/** More deliveries than this, held by quiet hours for one person, are combined into one push. */
const MAX_SINGLE_HELD = 3;
/**
 * Backoff in seconds if the gateway names none. After the last attempt this notification is not pushed to the phone.
 */
const BACKOFF_SECONDS = [10, 30, 120, 600, 1_800];
const PAUSE_SECONDS = 60;

/** A push, and the ids of further notifications that it summarizes. */
interface PlannedPush {
  delivery: ClaimedDelivery;
  others: string[];
}

export const sendPushes =
  (platform: Platform) =>
  async (organizationId: string, claimed: ClaimedDelivery[]): Promise<void> => {
    const port = pushPorts()[platform];
    if (!port) return;
    const planned = planPushes(claimed);
    let next = 0;
    let paused = false;
    const lane = async () => {
      while (!paused && next < planned.length) {
        const batch = planned.slice(next, (next += BATCH_SIZE));
        if (await sendBatch({ platform, port, organizationId }, batch)) paused = true;
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const unsent = planned.slice(next).flatMap(idsOf);
    if (unsent.length > 0) await inTenant(organizationId, () => postponeDeliveries(platform, unsent, PAUSE_SECONDS));
  };

const idsOf = ({ delivery, others }: PlannedPush): string[] => [delivery.notificationId, ...others];

/** Combines the deliveries that quiet hours held for one person into one push. */
function planPushes(claimed: readonly ClaimedDelivery[]): PlannedPush[] {
  const held = new Map<string, ClaimedDelivery[]>();
  for (const delivery of claimed.filter((candidate) => candidate.held))
    held.set(delivery.recipientId, [...(held.get(delivery.recipientId) ?? []), delivery]);
  return claimed.flatMap((delivery): PlannedPush[] => {
    const group = (delivery.held && held.get(delivery.recipientId)) || [];
    if (group.length <= MAX_SINGLE_HELD) return [{ delivery, others: [] }];
    if (group[0] !== delivery) return [];
    const others = group.slice(1).map(({ notificationId }) => notificationId);
    return [{ delivery: summaryOf(delivery, group.length), others }];
  });
}

const summaryOf = (first: ClaimedDelivery, count: number): ClaimedDelivery => ({
  ...first,
  title: 'During quiet hours',
  body: `${count} notifications`,
  targetUrl: '/notifications',
});

interface Gateway {
  platform: Platform;
  port: PushPort;
  organizationId: string;
}

/**
 * Sends a batch of pushes.
 * @returns whether the gateway is paused now
 */
async function sendBatch(
  { platform, port, organizationId }: Gateway,
  planned: readonly PlannedPush[],
): Promise<boolean> {
  const deliveries = new Map(planned.map(({ delivery }) => [delivery.notificationId, delivery]));
  const batches = planned.map(({ delivery: { notificationId, recipientId }, others }) => ({
    notificationId,
    recipientId,
    others,
  }));
  // A token may belong to the gateway's sandbox or to its production environment. The second round tries the tokens
  // that the first environment did not know in the other one.
  for (let round = 1; ; round += 1) {
    const attempts = await inTenant(organizationId, () => claimAttempts(platform, [...deliveries.values()]));
    const answers = await Promise.all(
      attempts.map(async (attempt) => {
        const delivery = deliveries.get(attempt.notificationId) as ClaimedDelivery;
        return { attempt, answer: await port.send(messageOf(organizationId, delivery, attempt)) };
      }),
    );
    const concluded = answers.map(({ attempt, answer }) => concludeAttempt(attempt, answer));
    const needsSecondRound = round === 1 && concluded.some(({ repeatsIn }) => repeatsIn === 0);
    const refused = answers.find(({ answer }) => answer.next.do === 'pause_gateway')?.answer.errorCode;
    await inTenant(organizationId, async () => {
      await concludeAttempts(concluded);
      await pruneTokens(platform, answers.flatMap(tokensToDeactivate));
      if (refused) await pauseGateway(platform, refused);
      else if (concluded.some(({ outcome }) => outcome === 'success')) await resumeGateway(platform);
      if (!needsSecondRound) await settleDeliveries(platform, batches);
    });
    if (!needsSecondRound) return refused !== undefined && refused !== null;
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

/** Reports whether the token is unknown in both environments, which means that it is unregistered. */
const isUnknownAnywhere = (attempt: PushAttempt, { next }: PushAnswer): boolean =>
  next.do === 'try_other_environment' && attempt.isSecondEnvironment;

function concludeAttempt(attempt: PushAttempt, answer: PushAnswer): ConcludedAttempt {
  const { errorCode, gatewayId, durationMs, next } = answer;
  const outcome = isUnknownAnywhere(attempt, answer) ? 'unregistered' : answer.outcome;
  const repeatsIn = outcome === 'unregistered' ? null : secondsUntilNext(next, attempt.attempt);
  return { attempt, outcome, errorCode, gatewayId, durationMs, repeatsIn };
}

function secondsUntilNext(next: Next, attempt: number): number | null {
  if (next.do === 'try_other_environment') return 0;
  if (next.do === 'pause_gateway') return PAUSE_SECONDS;
  if (next.do !== 'repeat') return null;
  const backoff = BACKOFF_SECONDS[attempt - 1];
  return backoff === undefined ? null : (next.afterSeconds ?? backoff);
}

/**
 * Returns the token of an attempt if the token must be deactivated. A token that was registered again after
 * `registeredBefore` stays active.
 */
function tokensToDeactivate({ attempt, answer }: { attempt: PushAttempt; answer: PushAnswer }) {
  const { tokenId, claimedAt } = attempt;
  if (isUnknownAnywhere(attempt, answer)) return [{ tokenId, registeredBefore: claimedAt }];
  if (answer.next.do !== 'prune') return [];
  return [{ tokenId, registeredBefore: answer.next.registeredBefore ?? claimedAt }];
}
