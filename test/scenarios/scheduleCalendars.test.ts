/** The calendars that entries of scheduled processes can express, as the server understands them. */
import { closeTemporal, temporal } from '../../gateways/temporal/client.js';
import { scheduleId, upsertSchedules } from '../../gateways/temporal/schedules.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { type ScheduleDefinition, SCHEDULES } from '../../workflows/schedules.js';
import { eventually } from '../support/platform.js';
import { deleteSchedules, restingSchedules } from '../support/schedules.js';

const [definition] = SCHEDULES as [ScheduleDefinition];
const usual = { ...definition };

beforeAll(async () => {
  await registerSearchAttributes();
  await restingSchedules();
});
afterAll(async () => {
  Object.assign(definition, usual);
  await deleteSchedules();
  await closeTemporal();
});

/** The next times of a schedule with other facts, and for how many hours a missed run is made up. */
async function coming(facts: Partial<ScheduleDefinition>): Promise<{ moments: Date[]; catchUpHours: number }> {
  Object.assign(definition, usual, facts);
  await upsertSchedules();
  const described = () => temporal().schedule.getHandle(scheduleId(definition.id)).describe();
  const wanted = facts.catchupWindow;
  // The server applies a change in the background.
  const { info, policies } = await eventually(
    async () => ({ ...(await described()), wanted }),
    ({ info: { nextActionTimes } }) => nextActionTimes.length > 0 && isNew(nextActionTimes),
  );
  seen = String(info.nextActionTimes);
  return { moments: info.nextActionTimes, catchUpHours: policies.catchupWindow / 3_600_000 };
}

let seen = '';
const isNew = (moments: Date[]): boolean => String(moments) !== seen;

test('a calendar of hours on weekdays runs at the expected times', async () => {
  const { moments, catchUpHours } = await coming({
    calendars: [{ minute: 30, hour: [6, 18], dayOfWeek: { start: 'MONDAY', end: 'FRIDAY' } }],
    catchupWindow: '3 days',
  });
  for (const at of moments) {
    expect([at.getUTCMinutes(), [6, 18].includes(at.getUTCHours())]).toEqual([30, true]);
    expect([1, 2, 3, 4, 5]).toContain(at.getUTCDay());
  }
  expect(moments.length).toBeGreaterThan(2);
  expect(catchUpHours).toBe(72);
});

test('several calendars with days of months run at the expected times', async () => {
  const { moments, catchUpHours } = await coming({
    calendars: [
      { minute: 0, hour: 4, dayOfMonth: [1, 15] },
      { minute: 15, hour: 0, dayOfMonth: 1, month: 'JULY' },
    ],
    catchupWindow: '90 minutes',
  });
  for (const at of moments) expect([1, 15]).toContain(at.getUTCDate());
  const inJuly = moments.filter((at) => at.getUTCMonth() === 6 && at.getUTCDate() === 1);
  for (const at of moments.filter((moment) => !inJuly.includes(moment)))
    expect([at.getUTCHours(), at.getUTCMinutes()]).toEqual([4, 0]);
  expect(catchUpHours).toBe(1.5);
});
