/** Who may do what: every declared policy, for every kind of person, on one's own and on others'. */
import '../../api/routes.js';
import { allPolicies } from '../../api/http/policy.js';
import { expected } from './matrix/expected.js';
import { actorOf, PEOPLE, type PersonName, reachOf } from './matrix/people.js';

const declared = allPolicies();

test('every declared policy has its table here, and no table is without a policy', () => {
  expect(declared.map(({ subject }) => subject).toSorted()).toEqual(Object.keys(expected).toSorted());
});

describe.each(declared.map((policy) => [policy.subject, policy] as const))('%s', (subject, { actions }) => {
  test('every action has its line', () => {
    expect(Object.keys(actions).toSorted()).toEqual(Object.keys(expected[subject] ?? {}).toSorted());
  });

  test.each(Object.keys(actions))('%s', (action) => {
    const actual = Object.fromEntries(
      (Object.keys(PEOPLE) as PersonName[]).flatMap((name) => {
        const actor = actorOf(PEOPLE[name]);
        const reach = reachOf((about) => (actions[action] ?? []).some((grant) => grant.holds(actor, about)));
        return reach ? [[name, reach]] : [];
      }),
    );
    expect(actual).toEqual(expected[subject]?.[action]);
  });
});
